// live() of Faircopy's own client: typed events while somebody speaks, flush, and the joined finals.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Faircopy, FaircopyError, type LiveEvent } from '@faircopy/client';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { sharedService } from '../http/service.ts';
import { eventually } from '../stream/stream-server.ts';

const shared = sharedService();
const clientOf = (apiKey = shared().key) => new Faircopy({ baseUrl: shared().url, apiKey, retries: 0 });

test('events come in order, and the finals make up the transcript', async () => {
  const events: LiveEvent[] = [];
  const finals = () => events.flatMap((event) => (event.type === 'final' && event.text !== '' ? [event] : []));
  const live = clientOf().live({ model: 'svc-1.0-lite', onEvent: (event) => events.push(event) });
  await live.opened;
  const send = async (...parts: Float32Array[]) => {
    const audio = pcm16Bytes(joined(...parts));
    for (let at = 0; at < audio.length; at += 3_200) await live.send(audio.subarray(at, at + 3_200));
  };
  await send(quiet(0.3), spoken(story(5)), quiet(1));
  // A final that arrives after speech has resumed is not an endpoint, so the second utterance waits for the first.
  await eventually(
    () => finals().length,
    (count) => count === 1,
  );
  await send(spoken(story(4, 5)));
  await live.flush();
  assert.deepEqual(
    finals().map(({ text }) => text),
    [story(5).join(' '), story(4, 5).join(' ')],
  );
  assert.equal(finals()[0]?.isEndpoint, true);
  assert.equal(finals()[0]?.words.length, 5);
  assert.equal(events.filter(({ type }) => type === 'speech_started').length, 2);
  assert.equal(await live.finish(), story(9).join(' '));
});

test('with speakers, the words of a final say who spoke', async () => {
  const events: LiveEvent[] = [];
  const live = clientOf().live({ speakers: { max: 4 }, onEvent: (event) => events.push(event) });
  await live.opened;
  await live.send(
    pcm16Bytes(joined(spoken(['apple', 'apple', 'apple']), quiet(1), spoken(['quarry', 'quarry', 'quarry']))),
  );
  await live.finish();
  const words = events.flatMap((event) => (event.type === 'final' ? event.words : []));
  assert.deepEqual(
    new Set(words.map(({ text, speaker }) => `${text.toLowerCase().replace('.', '')} ${speaker}`)),
    new Set(['apple 0', 'quarry 1']),
  );
});

test('a refused handshake rejects with the reason', async () => {
  const live = clientOf('wrong').live({ onEvent: () => undefined });
  await assert.rejects(live.opened, (thrown) => thrown instanceof FaircopyError && thrown.code === 'UNAUTHORIZED');
  await assert.rejects(live.finish(), FaircopyError);
});
