// Tests of speakers when worker machines recognise: the gateway finds the speakers, for files and live streams.
import assert from 'node:assert/strict';
import test from 'node:test';
import { natsAbsence, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { joined, quiet, spoken } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { readinessOf, startGateway, startWorker, until } from '../cluster/gateway-and-worker.ts';
import { Listening } from '../deepgram/listening.ts';
import { field, file, form, wavOf } from '../http/forms.ts';
import { success } from '../http/service.ts';

const CALL = joined(spoken(['apple', 'apple', 'apple']), quiet(1), spoken(['quarry', 'quarry', 'quarry']));

test('words that a worker recognised get their speakers at the gateway', { skip: natsAbsence }, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const gateway = await startGateway(t, nats.url, { models: ['svc-1.0-lite'] });
  await startWorker(t, nats.url, { FAIRCOPY_MODELS: 'svc-1.0-lite' });
  await until(
    () => readinessOf(gateway.url),
    ({ code }) => code === 200,
  );
  const asked = [field('model', 'svc-1.0-lite'), field('speakers', 'true'), field('include', 'words')];
  const { detail } = await success(await gateway.post(form(...asked, file(wavOf(CALL)))));
  assert.deepEqual(
    detail?.words?.map(({ speaker }) => speaker),
    [0, 0, 0, 1, 1, 1],
  );
  const query = 'model=svc-1.0-lite&diarize=true&encoding=linear16&sample_rate=16000';
  const live = await new Listening(gateway, query).opened();
  await live.send(pcm16Bytes(CALL));
  live.control({ type: 'CloseStream' });
  await live.closed;
  const words = live.finals.flatMap(({ channel }) => channel.alternatives[0]?.words ?? []);
  assert.deepEqual(
    words.map((word) => (word as { speaker?: number }).speaker),
    [0, 0, 0, 1, 1, 1],
  );
});
