import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { type Script, ScriptedEngine } from '../../speech/testing/scripted-engine.ts';
import { spoken, story } from '../../speech/testing/tones.ts';
import type { Window } from '../planning/window.ts';
import { scriptedScheduler } from '../scheduling/testing/scripted-scheduler.ts';
import { SampleBuffer } from './sample-buffer.ts';
import { WindowRecogniser } from './window-recogniser.ts';

const WINDOW_SAMPLES = 3 * SAMPLE_RATE_HZ;

const setUp = (slots: number, script: Script = {}) => {
  const engine = new ScriptedEngine({ ...script, slots });
  engine.hold();
  const { scheduler } = scriptedScheduler(slots, { recogniser: engine.recogniser });
  const buffer = new SampleBuffer();
  buffer.append(spoken(story(100)));
  const windowRecogniser = new WindowRecogniser({
    scheduler,
    buffer,
    accountId: 'a',
    template: { requestId: 'r', tier: 'svc-1.0-lite', languageHint: null, vocabulary: [], wantWordTimes: false },
    context: 'whole',
  });
  return { engine, windowRecogniser };
};

const windowAt = (index: number): Window => ({
  slices: [{ startSample: index * WINDOW_SAMPLES, endSample: (index + 1) * WINDOW_SAMPLES }],
  voicedSamples: WINDOW_SAMPLES,
  pauses: [],
});
const settleDown = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
};

test('later windows wait until the first one is recognised', async () => {
  const { engine, windowRecogniser } = setUp(3);
  const works = [0, 1, 2].map((index) => windowRecogniser.commit(windowAt(index), 'steady'));
  await settleDown();
  assert.equal(engine.running, 1);
  engine.release();
  await engine.until(({ running, asked }) => running === 0 && asked.length === 3);
  await settleDown();
  assert.ok(works.every(({ recognised }) => recognised?.length === 1));
});

test('speculative work does not hold up committed work', async () => {
  const { engine, windowRecogniser } = setUp(2);
  windowRecogniser.speculate([windowAt(0)]);
  windowRecogniser.commit(windowAt(1), 'steady');
  await settleDown();
  assert.equal(engine.running, 2);
  windowRecogniser.cancel();
});

test('one recogniser takes the windows in order, each with the preceding text', async () => {
  const { engine, windowRecogniser } = setUp(1);
  const works = [0, 1, 2, 3, 4].map((index) => windowRecogniser.commit(windowAt(index), 'steady'));
  engine.release();
  await engine.until(({ running, asked }) => running === 0 && asked.length === 5);
  await settleDown();
  const texts = works.flatMap(({ recognised }) => recognised ?? []).map(({ recognition }) => recognition.text);
  assert.deepEqual(
    engine.asked.map(({ window }) => window.precedingText?.text),
    [undefined, ...texts.slice(0, -1)],
  );
});

test('held-back audio is counted, and released when the work is cancelled', async () => {
  const { engine, windowRecogniser } = setUp(2);
  for (const index of [0, 1, 2]) windowRecogniser.commit(windowAt(index), 'steady');
  await settleDown();
  assert.equal(windowRecogniser.heldBackSamples, 2 * WINDOW_SAMPLES);
  windowRecogniser.cancel();
  await settleDown();
  assert.equal(windowRecogniser.heldBackSamples, 0);
  assert.equal(engine.asked.length, 1);
});

/** Enough speech to detect the language; each window has a different length. */
const longWindowAt = (index: number): Window => ({
  slices: [{ startSample: index * WINDOW_SAMPLES, endSample: (index + 1) * WINDOW_SAMPLES - index }],
  voicedSamples: 6 * SAMPLE_RATE_HZ,
  pauses: [],
});

for (const { slots, windows, doubted } of [
  { slots: 1, windows: 7, doubted: 3 },
  // Recognition starts in the middle, where the preceding text is not known.
  { slots: 2, windows: 10, doubted: 6 },
]) {
  test(`with ${slots} slots, a window in a doubtful language is recognised again before later windows`, async () => {
    const indexOf = (samples: Float32Array) => WINDOW_SAMPLES - samples.length;
    const { engine, windowRecogniser } = setUp(slots, {
      languages: ({ samples, language }) => [
        { language: indexOf(samples) === doubted && language === 'en' ? 'de' : 'en', probability: 0.98 },
      ],
    });
    for (let index = 0; index < windows; index++) windowRecogniser.commit(longWindowAt(index), 'steady');
    engine.release();
    await engine.until(({ running, asked }) => running === 0 && asked.length === windows + 1);
    await settleDown();
    const order = engine.asked.map(({ window }) => indexOf(window.samples));
    const again = order.lastIndexOf(doubted);
    assert.ok(again > order.indexOf(doubted));
    // One more window may have started before the doubt was known.
    const after = order.slice(again).filter((index) => index > doubted + 1);
    assert.equal(after.length, windows - doubted - 2, order.join(' '));
  });
}
