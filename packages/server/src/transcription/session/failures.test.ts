// Tests of sessions that fail, take too long or are cancelled.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Fault } from '../../lib/fault.ts';
import { RecogniserUnavailable } from '../../speech/recogniser.ts';
import type { ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { InlineRefinementStage } from '../text/refinement-stage.ts';
import { isUnavailable, setUpRecordings } from './testing/recordings.ts';
import { writeAll } from './testing/scripted-session.ts';

test('a dead recogniser ends the session with SERVICE_UNAVAILABLE, for writers too', async () => {
  const { engine, open } = setUpRecordings({
    before: () => Promise.reject(new RecogniserUnavailable('out of memory')),
  });
  const file = open();
  await writeAll(file, spoken(story(20)));
  await assert.rejects(file.finish(), isUnavailable);
  const stream = open({ mode: 'stream' });
  await writeAll(stream, joined(spoken(story(30)), quiet(2)));
  await engine.until(({ openProbes }) => openProbes === 0);
  await assert.rejects(stream.write(quiet(1)), isUnavailable);
  await assert.rejects(stream.finish(), isUnavailable);
});

const BUGS: Record<string, (engine: ScriptedEngine) => void> = {
  'the voice probe': (engine) => {
    const probe = engine.openVoiceProbe();
    engine.openVoiceProbe = () => Object.assign(probe, { push: () => Promise.reject(new TypeError('a bug')) });
  },
  // Undefined probabilities make the segmenter and the planner throw.
  'the planner': (engine) => {
    const probe = engine.openVoiceProbe();
    engine.openVoiceProbe = () => Object.assign(probe, { push: async () => undefined });
  },
  // A recognition without languages makes the session's language decision throw, on the scheduler's side.
  'the handling of a result': (engine) => {
    const { recognise } = engine.recogniser;
    const broken = async (...of: Parameters<typeof recognise>) => ({ ...(await recognise(...of)), languages: null });
    Object.assign(engine.recogniser, { recognise: broken });
  },
};

const isBug = (thrown: unknown): boolean =>
  thrown instanceof Fault && thrown.code === 'INTERNAL_ERROR' && thrown.cause instanceof TypeError;

for (const [where, breakIt] of Object.entries(BUGS)) {
  for (const mode of ['file', 'stream'] as const) {
    test(`${mode}: a bug in ${where} is INTERNAL_ERROR with its cause, for finish and for write`, async () => {
      const finishing = setUpRecordings();
      breakIt(finishing.engine);
      const finished = finishing.open({ mode });
      await finished.write(spoken(story(60)));
      await assert.rejects(finished.finish(), isBug);

      const writing = setUpRecordings();
      breakIt(writing.engine);
      const written = writing.open({ mode });
      await assert.rejects(async () => {
        for (let count = 0; count < 20; count++) await written.write(spoken(story(160)));
      }, isBug);
    });
  }
}

test('a stage that takes too long is stopped for good', async () => {
  const { engine, open } = setUpRecordings({}, { recognitionTimeoutMs: 20 });
  engine.hold();
  const session = open();
  await writeAll(session, spoken(story(20)));
  await assert.rejects(session.finish(), isUnavailable);
  await engine.until(({ running }) => running === 0);
  assert.deepEqual([...new Set(engine.asked.map(({ state }) => state))], ['aborted']);
});

test('a timeout of zero expires at once, however fast the stage is', async () => {
  for (const timeout of [{ recognitionTimeoutMs: 0 }, { refinementTimeoutMs: 0 }]) {
    const { engine, open } = setUpRecordings({}, timeout);
    const session = open();
    await session.write(spoken(['apple']));
    await assert.rejects(session.finish(), isUnavailable);
    await engine.until(({ running, openProbes }) => running + openProbes === 0);
  }
});

test('refinement that takes too long is stopped', async () => {
  const aborted: boolean[] = [];
  const hang = new InlineRefinementStage({
    refine: (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          aborted.push(true);
          reject(signal.reason);
        }),
      ),
  });
  const { open } = setUpRecordings({}, { refinementStage: hang, refinementTimeoutMs: 20 });
  const session = open();
  await session.write(spoken(['apple']));
  await assert.rejects(session.finish(), isUnavailable);
  assert.deepEqual(aborted, [true]);
});

test('cancelling at any point settles every promise and leaves nothing behind', async () => {
  const audio = joined(spoken(story(60)), quiet(1), spoken(story(60)));
  for (let point = 0; point < 60; point++) {
    const { engine, service, open } = setUpRecordings({ slots: 2 });
    if (point % 2) engine.hold();
    const session = open({ mode: point % 3 ? 'stream' : 'file' });
    const using = writeAll(session, audio, 24_000).then(() => session.finish());
    using.catch(() => undefined);
    for (let turn = 0; turn < point * 4; turn++) await Promise.resolve();
    if (point > 40) await new Promise(setImmediate);
    session.cancel();
    session.cancel();
    await using.catch((thrown) => assert.ok(isUnavailable(thrown)));
    await engine.until(({ running, openProbes }) => running + openProbes === 0);
    await service.close();
  }
});
