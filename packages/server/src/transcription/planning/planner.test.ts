import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { VOICE_FRAME_SAMPLES } from '../../speech/recogniser.ts';
import { SpeechSegmenter, type SpeechSpan } from '../../speech/vad/segmenter.ts';
import { Planner } from './planner.ts';
import { lengthOf, type Window, windowKey, windowSamples } from './window.ts';
import { windowPolicy } from './window-policy.ts';

const FRAMES_PER_SECOND = SAMPLE_RATE_HZ / VOICE_FRAME_SAMPLES;
const frames = (seconds: number, probability: number): number[] =>
  Array.from({ length: Math.round(seconds * FRAMES_PER_SECOND) }, () => probability);
const speech = (seconds: number): number[] => frames(seconds, 0.95);
const pause = (seconds: number): number[] => frames(seconds, 0.02);

interface Plan {
  readonly windows: Window[];
  readonly spans: SpeechSpan[];
  readonly totalSamples: number;
  /** How many windows were committed before the end. */
  readonly early: number;
}

/** `recognisedShare`: share of the talk after which its tail is recognised speculatively, to be kept if possible. */
const plan = (mode: 'file' | 'stream', probabilities: number[], slots = 2, step = 31, recognisedShare = 1): Plan => {
  const segmenter = new SpeechSegmenter();
  const planner = new Planner(windowPolicy(mode, slots));
  const windows: Window[] = [];
  const spans: SpeechSpan[] = [];
  let speculative: readonly Window[] = [];
  for (let at = 0; at < probabilities.length; at += step) {
    const part = probabilities.slice(at, at + step);
    const view = segmenter.push(part);
    spans.push(...view.closed);
    const neededFrom = planner.neededFromSample;
    const settled = planner.push(view, part);
    for (const { slices } of settled) assert.ok(slices[0]!.startSample >= neededFrom, 'asks for released audio');
    assert.ok(planner.neededFromSample >= neededFrom, 'released audio is never needed again');
    windows.push(...settled);
    if (at <= recognisedShare * probabilities.length) speculative = planner.tail();
  }
  const early = windows.length;
  const totalSamples = probabilities.length * VOICE_FRAME_SAMPLES;
  const view = segmenter.end(totalSamples);
  spans.push(...view.closed);
  if (recognisedShare < 1) windows.push(...planner.keepRecognised(speculative));
  windows.push(...planner.end(view, totalSamples));
  return { windows, spans, totalSamples, early };
};

const secondsOf = (windows: readonly Window[]): number[] =>
  windows.map((window) => Math.round(windowSamples(window) / 1_600) / 10);

/** A talk: stretches of speech with breaths and pauses, as in real recordings. */
const talk = fc
  .array(
    fc.record({
      speechSeconds: fc.double({ min: 0.2, max: 45, noNaN: true }),
      breathEvery: fc.integer({ min: 20, max: 400 }),
      pauseSeconds: fc.double({ min: 0.05, max: 70, noNaN: true }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) =>
    parts.flatMap(({ speechSeconds, breathEvery, pauseSeconds }) => [
      ...speech(speechSeconds).map((probability, frame) => (frame % breathEvery < 3 ? 0.1 : probability)),
      ...pause(pauseSeconds),
    ]),
  );

test('all speech is in exactly one window, in order, and no window exceeds the limit', () => {
  fc.assert(
    fc.property(
      talk,
      fc.constantFrom('file' as const, 'stream' as const),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 100 }),
      fc.constantFrom(0.3, 0.7, 0.9, 0.97, 1),
      (probabilities, mode, slots, step, recognisedShare) => {
        const { windows, spans, totalSamples } = plan(mode, probabilities, slots, step, recognisedShare);
        let lastEnd = 0;
        for (const window of windows) {
          assert.ok(windowSamples(window) <= 20 * SAMPLE_RATE_HZ, `${windowSamples(window) / SAMPLE_RATE_HZ} s`);
          for (const slice of window.slices) {
            assert.ok(slice.startSample >= lastEnd && lengthOf(slice) > 0);
            lastEnd = slice.endSample;
          }
        }
        assert.ok(lastEnd <= totalSamples);
        const slices = windows.flatMap((window) => window.slices);
        for (const span of spans) {
          const covered = slices.reduce(
            (sum, { startSample, endSample }) =>
              sum + Math.max(0, Math.min(endSample, span.endSample) - Math.max(startSample, span.startSample)),
            0,
          );
          assert.equal(covered, span.endSample - span.startSample, 'a part of a span is missing');
        }
      },
    ),
    { numRuns: 150 },
  );
});

const isWholeClip = (parts: readonly (readonly number[])[]): boolean =>
  parts.flat().length * VOICE_FRAME_SAMPLES <= windowPolicy('stream', 2).wholeClipSamplesMax;

test('the speculative tail equals the tail when the recording really ends', () => {
  fc.assert(
    fc.property(talk, (probabilities) => {
      const segmenter = new SpeechSegmenter();
      const planner = new Planner(windowPolicy('stream', 2));
      planner.push(segmenter.push(probabilities), probabilities);
      const silence = pause(0.5);
      planner.push(segmenter.push(silence), silence);
      const speculative = planner.tail().map(windowKey);
      const later = pause(0.1);
      // A clip that grows too long to be recognised whole is planned differently.
      fc.pre(isWholeClip([probabilities, silence]) === isWholeClip([probabilities, silence, later]));
      const settled = planner.push(segmenter.push(later), later);
      const total = (probabilities.length + silence.length + later.length) * VOICE_FRAME_SAMPLES;
      const tail = planner.end(segmenter.end(total), total);
      assert.deepEqual([...settled, ...tail].map(windowKey), speculative);
    }),
    { numRuns: 100 },
  );
});

test('long speech is cut where speech is least probable, not inside a word', () => {
  const probabilities = [...speech(13), ...frames(0.1, 0.4), ...speech(13)];
  const { windows } = plan('file', probabilities, 1);
  assert.equal(windows.length, 2);
  const cutSeconds = windows[0]!.slices.at(-1)!.endSample / SAMPLE_RATE_HZ;
  assert.ok(cutSeconds >= 13 && cutSeconds <= 13.15, `cut at ${cutSeconds} s`);
});

test('a cut at a breath is preferred to a forced cut', () => {
  const probabilities = [...speech(12), ...pause(0.2), ...speech(12)];
  const [first] = plan('file', probabilities, 1).windows;
  const cutSeconds = first!.slices.at(-1)!.endSample / SAMPLE_RATE_HZ;
  assert.ok(cutSeconds > 12 && cutSeconds < 12.2, `cut at ${cutSeconds} s`);
});

test('the tail of a file keeps all slots busy: windows of similar length, a multiple of the slots', () => {
  const sentence = [...speech(2.4), ...pause(0.7)];
  const file = (count: number) => Array.from({ length: count }, () => sentence).flat();
  assert.equal(plan('file', file(12), 3).windows.length, 3);
  assert.equal(plan('file', file(12), 1).windows.length, 2);
  // When the windows would be short, one recogniser takes the whole tail: cutting speech costs accuracy.
  assert.equal(plan('file', file(6), 2).windows.length, 1);
  const long = plan('file', file(97), 2).windows;
  const lastTwo = secondsOf(long.slice(-2));
  assert.ok(Math.abs(lastTwo[0]! - lastTwo[1]!) <= 3.2, `the last windows take ${lastTwo} s`);
});

test('short utterances are packed together, with their pauses shortened but not removed', () => {
  const probabilities = Array.from({ length: 4 }, () => [...speech(1), ...pause(3)]).flat();
  const { windows } = plan('file', probabilities, 1);
  assert.equal(windows.length, 1);
  const [{ slices } = { slices: [] }] = windows;
  assert.equal(slices.length, 4);
  const seconds = windowSamples(windows[0]!) / SAMPLE_RATE_HZ;
  assert.ok(seconds > 4 + 3 * (0.5 + 0.39) && seconds < 8, `${seconds} s`);
});

test('a stream commits its speech at a pause; a file waits for more audio', () => {
  const probabilities = [...speech(8), ...pause(2)];
  assert.equal(plan('stream', probabilities).early, 1);
  assert.equal(plan('file', probabilities).early, 0);
});

test('windows recognised speculatively at a pause are kept when enough speech follows', () => {
  const said = (seconds: number) => [...speech(5), ...pause(0.45), ...speech(seconds)];
  const [first, second] = plan('stream', said(4), 2, 10, 0.56).windows;
  assert.ok(first && second && windowSamples(first) < 6 * SAMPLE_RATE_HZ, 'two windows');
  assert.equal(plan('stream', said(0.5), 2, 10, 0.9).windows.length, 1);
});

test('isolated words are committed before their audio grows old', () => {
  const probabilities = Array.from({ length: 10 }, () => [...speech(1), ...pause(50)]).flat();
  assert.ok(plan('stream', probabilities).early >= 9);
});

test('a clip of a few seconds is one window: the whole file, or a stream up to its last word', () => {
  const probabilities = [...pause(1), ...speech(1), ...pause(2)];
  const total = probabilities.length * VOICE_FRAME_SAMPLES;
  assert.deepEqual(plan('file', probabilities).windows[0]?.slices, [{ startSample: 0, endSample: total }]);
  const [stream] = plan('stream', probabilities).windows;
  assert.equal(stream?.slices[0]?.startSample, 0);
  assert.ok(stream.slices[0].endSample < total);
  assert.deepEqual(plan('file', pause(3)).windows, []);
});

test('a clip of exactly the maximum length is recognised whole, wherever its first word begins', () => {
  const total = 5 * SAMPLE_RATE_HZ;
  const padded = Math.ceil(total / VOICE_FRAME_SAMPLES);
  for (const mode of ['file', 'stream'] as const) {
    for (const first of [0, 0.4, 1.8]) {
      const beginning = [...pause(first), ...speech(2 - first / 2), ...pause(0.5)];
      const probabilities = [...beginning, ...speech(9)].slice(0, padded);
      const segmenter = new SpeechSegmenter();
      const planner = new Planner(windowPolicy(mode, 1));
      const early = planner.push(segmenter.push(probabilities), probabilities);
      assert.equal(planner.neededFromSample, 0);
      const speculative = planner.tail();
      const windows = [...early, ...planner.keepRecognised(speculative), ...planner.end(segmenter.end(total), total)];
      assert.deepEqual(
        windows.map(({ slices }) => slices[0]?.startSample),
        [0],
      );
    }
  }
});
