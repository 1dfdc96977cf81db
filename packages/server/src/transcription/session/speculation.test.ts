// Tests of work that is done ahead of time, while a stream is still open.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { joined, quiet, spoken, story } from '../../speech/testing/tones.ts';
import { passthroughRefiner } from '../testing/passthrough-refiner.ts';
import { InlineRefinementStage } from '../text/refinement-stage.ts';
import { setUpRecordings } from './testing/recordings.ts';
import { writeAll } from './testing/scripted-session.ts';

test('work begins while audio still arrives', async () => {
  const { engine, open } = setUpRecordings();
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(spoken(story(30)), quiet(2)));
  await engine.until(({ asked }) => asked.length > 0);
  session.cancel();
});

test('failed speculative work does no harm: its window is recognised again', async () => {
  let calls = 0;
  const { engine, open } = setUpRecordings({
    before: () => (calls++ === 0 ? Promise.reject(new Error('once')) : undefined),
  });
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(4), spoken(['apple', 'river']), quiet(1)));
  await engine.until(({ asked }) => asked[0]?.state === 'failed');
  assert.equal((await session.finish()).text, 'apple river');
});

test('when nothing is said after a pause, the answer is ready: no new window, no new refinement', async () => {
  let refinements = 0;
  const counted = new InlineRefinementStage({
    refine: (input, signal) => {
      refinements += 1;
      return passthroughRefiner.refine(input, signal);
    },
  });
  const { engine, open } = setUpRecordings({ slots: 2 }, { refinementStage: counted });
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(6), spoken(['apple', 'river']), quiet(1)));
  await engine.until(({ asked }) => asked.some(({ state }) => state === 'answered'));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  const before = [engine.asked.length, refinements];
  await writeAll(session, quiet(2));
  assert.equal((await session.finish()).text, 'apple river');
  assert.deepEqual([engine.asked.length, refinements], before);
});

test('windows recognised at the last pause are kept: only later speech is recognised at the end', async () => {
  const { engine, open } = setUpRecordings();
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(6), spoken(['apple', 'river']), quiet(0.5)), 512);
  await engine.until(({ asked }) => asked.some(({ state }) => state === 'answered'));
  await writeAll(session, spoken(story(8)), 512);
  const before = engine.asked.length;
  const { text } = await session.finish();
  assert.equal(text, ['apple', 'river', ...story(8)].join(' '));
  assert.deepEqual(
    engine.asked.slice(before).map(({ window }) => window.samples.length < SAMPLE_RATE_HZ * 6),
    [true],
  );
});

test('speculative work that later speech makes obsolete is stopped', async () => {
  const { engine, open } = setUpRecordings();
  engine.hold();
  const session = open({ mode: 'stream' });
  await writeAll(session, joined(quiet(6), spoken(['apple']), quiet(0.4)), 512);
  await engine.until(({ running }) => running === 1);
  await writeAll(session, joined(spoken(['river']), quiet(0.5)), 512);
  await engine.until(({ asked }) => asked[0]?.state === 'aborted');
  engine.release();
  assert.equal((await session.finish()).text, 'apple river');
});
