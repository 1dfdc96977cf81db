import assert from 'node:assert/strict';
import test from 'node:test';
import { ScriptedEngine } from '../speech/testing/scripted-engine.ts';
import { spoken, story } from '../speech/testing/tones.ts';
import { silentObserver } from './observer.ts';
import { Recognitions } from './recognitions.ts';
import { Scheduler } from './scheduler.ts';
import { Tape } from './tape.ts';
import type { Window } from './window.ts';

const WINDOW_SAMPLES = 3 * 16_000;

const setUp = (slots: number) => {
  const engine = new ScriptedEngine({ slots });
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
    engine.asked.map(({ job }) => job.before?.text),
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
