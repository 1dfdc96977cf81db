// Tests of the transcription service: admission, and closing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Metrics } from '../observability/metrics.ts';
import type { Capacity } from '../speech/recogniser.ts';
import { spoken, story } from '../speech/testing/tones.ts';
import { watchTranscription } from './metrics.ts';
import { isUnavailable, setUpRecordings } from './session/testing/recordings.ts';
import type { SessionRequest } from './transcriber.ts';

const asking = (model: SessionRequest['model']) => ({
  ...({ step: 'begin', mode: 'file', models: [model] } as const),
  accountId: 'a',
  waitingSecondsMax: 1_200,
});

test('closing waits for running sessions, then cancels the rest', async () => {
  const { engine, service, open } = setUpRecordings();
  engine.hold();
  const session = open();
  await session.write(spoken(['apple']));
  const transcript = session.finish();
  const closed = service.close();
  assert.throws(() => open(), isUnavailable);
  assert.equal(service.admit(asking('svc-1.0-max')).admitted, false);
  engine.release();
  assert.equal((await transcript).text, 'apple');
  await closed;

  const other = setUpRecordings({}, { graceMs: 5 });
  const idle = other.open();
  await other.service.close();
  await assert.rejects(idle.finish(), isUnavailable);
});

test('a tier that was not loaded is refused with the reason, and the others are not', async () => {
  const { service } = setUpRecordings({}, { models: ['svc-1.0-lite'] });
  const { admitted, reason } = service.admit(asking('svc-1.0-max'));
  assert.equal(admitted, false);
  assert.match(reason ?? '', /svc-1\.0-max is not loaded on this server, which has svc-1\.0-lite\./);
  assert.equal(service.admit(asking('svc-1.0-lite')).admitted, true);
  await service.close();
});

test('a request for a tier without recognisers is refused and counted', async () => {
  const metrics = new Metrics();
  const { observer } = watchTranscription(metrics);
  const { engine, service } = setUpRecordings({}, { observer });
  const capacity: Capacity = {
    freeSlots: () => 1,
    serves: (tier) => tier !== 'svc-1.0-max',
    couldReplace: () => true,
    isContended: false,
    setWaiting: () => undefined,
    onChange: () => undefined,
  };
  Object.assign(engine.recogniser, { capacity });
  assert.equal(service.admit(asking('svc-1.0-max')).admitted, false);
  assert.equal(service.admit(asking('svc-1.0-pro')).admitted, true);
  const page = await metrics.registry.metrics();
  assert.match(page, /faircopy_tier_absent_total\{model="svc-1.0-max"\} 1/);
  assert.match(page, /faircopy_tier_absent_total\{model="svc-1.0-pro"\} 0/);
  assert.match(page, /faircopy_tier_queue_audio_seconds\{model="svc-1.0-pro"\} 0/);
  await service.close();
});

test('audio of a stalled upload does not count as work that others wait for', async () => {
  let nowMs = 0;
  const clock = { now: () => nowMs, monotonicMs: () => nowMs };
  const { service, open } = setUpRecordings({ slots: 1 }, { clock, maxWaitMs: 1_000 });
  const isAdmitted = () => service.admit({ ...asking('svc-1.0-pro'), accountId: 'b', step: 'ask' }).admitted;
  const held = Array.from({ length: 12 }, (_, nth) => open({ accountId: `held ${nth}` }));
  for (const session of held) await session.write(spoken(story(8)));
  nowMs = 4_000;
  for (const session of held) await session.write(spoken(story(8)));
  assert.equal(isAdmitted(), false, 'audio has just arrived');
  nowMs = 30_000;
  assert.equal(isAdmitted(), true, 'no audio has arrived for a long time');
  for (const session of held) session.cancel();
});
