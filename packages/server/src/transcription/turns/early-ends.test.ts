import assert from 'node:assert/strict';
import test from 'node:test';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import { PAUSE_SECONDS } from '../../speech/turns/turn-detector.ts';
import type { OpenUtterance } from '../planning/utterance-tracker.ts';
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
  let isUpToDate = true;
  const tracker: { open: OpenUtterance | null; judgedSamples: number } = {
    open: { startSample: 0, voicedEndSample: VOICED_MS * SAMPLES_PER_MS },
    judgedSamples: (VOICED_MS + 128) * SAMPLES_PER_MS,
  };
  const endedMs: number[] = [];
  const earlyEnds = new EarlyEnds({
    turns,
    tracker,
    isUpToDate: () => isUpToDate,
    soundBefore: () => new Float32Array(4),
    end: () => {
      endedMs.push(tracker.judgedSamples / SAMPLES_PER_MS - VOICED_MS);
      tracker.open = null;
    },
  });
  const pauseFor = (ms: number): Promise<void> => {
    tracker.judgedSamples = (VOICED_MS + ms) * SAMPLES_PER_MS;
    return earlyEnds.check();
  };
  const heard = (text: string) => earlyEnds.recognised(text, VOICED_MS * SAMPLES_PER_MS);
  const lag = (isBehind: boolean): void => {
    isUpToDate = !isBehind;
  };
  return { asked, tracker, endedMs, pauseFor, heard, lag, earlyEnds };
};

test('an utterance ends as soon as its pause is long enough for the detector', async () => {
  const { asked, endedMs, pauseFor, heard } = setUp(200);
  await heard('Yes, please.');
  assert.deepEqual([asked, endedMs], [['Yes, please.'], []]);
  for (const ms of [160, 192, 224, 256]) await pauseFor(ms);
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
  await pauseFor(900);
  await heard('My number is');
  assert.deepEqual([asked.length, endedMs], [1, []]);
});

test('while audio waits to be judged, or an earlier final is due, nothing is asked or ended', async () => {
  const { asked, endedMs, pauseFor, heard, lag } = setUp(100);
  lag(true);
  await heard('Yes, please.');
  await pauseFor(160);
  assert.deepEqual([asked, endedMs], [[], []]);
  lag(false);
  await pauseFor(192);
  assert.deepEqual([asked, endedMs], [['Yes, please.'], [192]]);
});

test('pauses that follow each other soon are not all recognised', () => {
  const { tracker, earlyEnds } = setUp(100);
  const isDueAfter = (voicedMs: number, pauseMs: number): boolean => {
    tracker.open = { startSample: 0, voicedEndSample: voicedMs * SAMPLES_PER_MS };
    tracker.judgedSamples = (voicedMs + pauseMs) * SAMPLES_PER_MS;
    return earlyEnds.isDue;
  };
  assert.equal(isDueAfter(1_500, 96), true);
  earlyEnds.recognising(1_500 * SAMPLES_PER_MS);
  assert.deepEqual(
    [isDueAfter(1_500, 128), isDueAfter(1_800, 96), isDueAfter(1_800, 224), isDueAfter(2_000, 96)],
    [true, false, true, true],
  );
});
