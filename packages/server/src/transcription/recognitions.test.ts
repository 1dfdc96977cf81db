import assert from 'node:assert/strict';
import test from 'node:test';
import { type Script, ScriptedEngine } from '../speech/testing/scripted-engine.ts';
import { spoken, story } from '../speech/testing/tones.ts';
import { silentObserver } from './observer.ts';
import { Recognitions } from './recognitions.ts';
import { Scheduler } from './scheduler.ts';
import { Tape } from './tape.ts';
import type { Window } from './window.ts';

const WINDOW_SAMPLES = 3 * 16_000;

const setUp = (slots: number, script: Script = {}) => {
  const engine = new ScriptedEngine({ ...script, slots });
  engine.hold();
  const scheduler = new Scheduler({
    recogniser: engine.recogniser,
    clock: { now: () => 0, monotonicMs: () => 0 },
    observer: silentObserver,
    queuedAudioSecondsMax: 10_000,
    waitSecondsMax: 90,
  });
  const tape = new Tape();
  tape.append(spoken(story(100)));
  const recognitions = new Recognitions({
    scheduler,
    tape,
    accountId: 'a',
    requestId: 'r',
    job: { tier: 'svc-1.0-lite', languageHint: null, vocabulary: [], wantWordTimes: false },
    onProgress: () => undefined,
    onFailure: (failure) => assert.fail(String(failure)),
  });
  return { engine, recognitions };
};

const windowAt = (index: number): Window => ({
  slices: [{ startSample: index * WINDOW_SAMPLES, endSample: (index + 1) * WINDOW_SAMPLES }],
  voicedSamples: WINDOW_SAMPLES,
  rests: [],
});
const settleDown = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
};

test('the windows after the first wait until it was heard', async () => {
  const { engine, recognitions } = setUp(3);
  for (const index of [0, 1, 2]) recognitions.settle(windowAt(index), 'steady');
  await settleDown();
  assert.equal(engine.running, 1);
  engine.release();
  await engine.until(({ running, asked }) => running === 0 && asked.length === 3);
  await settleDown();
  assert.equal(recognitions.completed()?.length, 3);
});

test('a guess that is still to be made holds up nothing that is settled', async () => {
  const { engine, recognitions } = setUp(2);
  recognitions.guess([windowAt(0)]);
  recognitions.settle(windowAt(1), 'steady');
  await settleDown();
  assert.equal(engine.running, 2);
  recognitions.cancel();
});

test('one recogniser hears the windows in their order, each with the words before it', async () => {
  const { engine, recognitions } = setUp(1);
  for (const index of [0, 1, 2, 3, 4]) recognitions.settle(windowAt(index), 'steady');
  engine.release();
  await engine.until(({ running, asked }) => running === 0 && asked.length === 5);
  await settleDown();
  const texts = recognitions.completed()?.map(({ recognition }) => recognition.text) ?? [];
  assert.deepEqual(
    engine.asked.map(({ job }) => job.precedingText?.text),
    [undefined, ...texts.slice(0, -1)],
  );
});

test('audio that is held back is known, and when the work is cancelled it is let go', async () => {
  const { engine, recognitions } = setUp(2);
  for (const index of [0, 1, 2]) recognitions.settle(windowAt(index), 'steady');
  await settleDown();
  assert.equal(recognitions.heldSamples, 2 * WINDOW_SAMPLES);
  recognitions.cancel();
  await settleDown();
  assert.equal(recognitions.heldSamples, 0);
  assert.equal(engine.asked.length, 1);
});

/** Speech enough for a belief; its length tells the windows apart. */
const longWindowAt = (index: number): Window => ({
  slices: [{ startSample: index * WINDOW_SAMPLES, endSample: (index + 1) * WINDOW_SAMPLES - index }],
  voicedSamples: 6 * 16_000,
  rests: [],
});

for (const { slots, windows, doubted } of [
  { slots: 1, windows: 7, doubted: 3 },
  // Begun in the middle: what stands before it has not been heard.
  { slots: 2, windows: 10, doubted: 6 },
]) {
  test(`with ${slots} at work, a window whose language is doubted is heard again before those after it`, async () => {
    const indexOf = (samples: Float32Array) => WINDOW_SAMPLES - samples.length;
    const { engine, recognitions } = setUp(slots, {
      languages: ({ samples, language }) => [
        { language: indexOf(samples) === doubted && language === 'en' ? 'de' : 'en', probability: 0.98 },
      ],
    });
    for (let index = 0; index < windows; index++) recognitions.settle(longWindowAt(index), 'steady');
    engine.release();
    await engine.until(({ running, asked }) => running === 0 && asked.length === windows + 1);
    await settleDown();
    const order = engine.asked.map(({ job }) => indexOf(job.samples));
    const again = order.lastIndexOf(doubted);
    assert.ok(again > order.indexOf(doubted));
    // One more may have been begun before the doubt was known.
    const after = order.slice(again).filter((index) => index > doubted + 1);
    assert.equal(after.length, windows - doubted - 2, order.join(' '));
  });
}
