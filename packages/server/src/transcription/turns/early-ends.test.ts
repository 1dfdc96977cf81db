import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { PAUSE_SECONDS } from '../../speech/turns/turn-detector.ts';
import { EarlyEnds } from './early-ends.ts';
import { Turns } from './turns.ts';

const VOICED_MS = 1_500;

/** A detector that is sure of an end once the pause lasts this long. */
const setUp = (sureAfterMs: number, eagerEnd: number | null = null) => {
  const asked: string[] = [];
  const chances = PAUSE_SECONDS.map((seconds) => (seconds * 1000 >= sureAfterMs ? 0.9 : 0.5));
  const detector = {
    chances: async ({ text }: { readonly text: string }) => {
      asked.push(text);
      return chances;
    },
  };
  const turns = new Turns({ thresholds: { end: 0.7, eagerEnd, timeoutMs: 3_000 }, detector, emit: () => {} });
  turns.speechStarted(0);
  const tracker = {
    open: { startSample: 0, voicedEndSample: VOICED_MS * SAMPLES_PER_MS },
    judgedSamples: (VOICED_MS + 128) * SAMPLES_PER_MS,
  };
  const endedMs: number[] = [];
  const earlyEnds = new EarlyEnds({
    turns,
    tracker,
    soundBefore: () => new Float32Array(4),
    end: () => endedMs.push(tracker.judgedSamples / SAMPLES_PER_MS - VOICED_MS),
  });
  const pauseFor = (ms: number): void => {
    tracker.judgedSamples = (VOICED_MS + ms) * SAMPLES_PER_MS;
    earlyEnds.check();
  };
  const heard = (text: string) => earlyEnds.recognised(text, VOICED_MS * SAMPLES_PER_MS);
  return { asked, tracker, endedMs, pauseFor, heard };
};

test('an utterance ends as soon as its pause is long enough for the detector', async () => {
  const { asked, endedMs, pauseFor, heard } = setUp(200);
  await heard('Yes, please.');
  assert.deepEqual([asked, endedMs], [['Yes, please.'], []]);
  for (const ms of [160, 192, 224, 256]) pauseFor(ms);
  assert.deepEqual(endedMs, [224]);
});

test('an answer that comes when the pause is long enough ends it at once', async () => {
  const { endedMs, heard } = setUp(100);
  await heard('Yes, please.');
  assert.deepEqual(endedMs, [128]);
});

test('an eager end needs the final, too', async () => {
  const { endedMs, heard } = setUp(1_000, 0.4);
  await heard('Yes, please.');
  assert.deepEqual(endedMs, [128]);
});

test('a pause that is over ends nothing, and nothing is asked about silence', async () => {
  const { asked, tracker, endedMs, pauseFor, heard } = setUp(200);
  await heard(' ');
  assert.deepEqual(asked, []);
  const answer = heard('My number is');
  tracker.open = { startSample: 0, voicedEndSample: 2_000 * SAMPLES_PER_MS };
  await answer;
  pauseFor(900);
  await heard('My number is');
  assert.deepEqual([asked.length, endedMs], [1, []]);
});
