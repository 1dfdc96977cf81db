// A recogniser that only waits: for the tier's cost of the audio, on a machine of a given speed.
import type { Clock } from '../../src/lib/time/clock.ts';
import type { Timers } from '../../src/lib/time/timers.ts';
import type { Recogniser, Recognition, SpeechWindow } from '../../src/speech/recogniser.ts';
import { recognitionOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import { type Random, workOf } from './plan.ts';

export interface TimedRecogniserOptions {
  readonly time: Clock & Timers;
  readonly random: Random;
  readonly slots: number;
  readonly speed: number;
  readonly samplesPerSecond: number;
  readonly worked: (fromMs: number, untilMs: number) => void;
}

/** Windows take up to 15 % more or less than their mean. */
const SPREAD = 0.15;
const WORDS_PER_SECOND = 2.2;

/** Cache of answers by number of words. Answers are never modified. */
const answers = new Map<number, Recognition>();
const answerOf = (seconds: number): Recognition => {
  const words = Math.ceil(WORDS_PER_SECOND * seconds);
  let answer = answers.get(words);
  if (!answer) {
    answer = recognitionOf({ text: 'spoken '.repeat(words) });
    answers.set(words, answer);
  }
  return answer;
};

export const timedRecogniser = (options: TimedRecogniserOptions): Recogniser => {
  const { time, random, slots, speed, samplesPerSecond, worked } = options;
  const recognise = (window: SpeechWindow, signal: AbortSignal) =>
    new Promise<Recognition>((resolve, reject) => {
      const seconds = window.samples.length / samplesPerSecond;
      const cost = workOf(window.tier, seconds) * (1 - SPREAD + 2 * SPREAD * random());
      const fromMs = time.monotonicMs();
      const timer = time.after((1000 * cost) / speed, () => {
        worked(fromMs, time.monotonicMs());
        resolve(answerOf(seconds));
      });
      signal.addEventListener('abort', () => {
        timer.stop();
        reject(signal.reason as Error);
      });
    });
  return { slots, recognise, close: async () => {} };
};
