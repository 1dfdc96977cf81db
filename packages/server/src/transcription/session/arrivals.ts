// Measures how fast a session's audio and speech arrive. Admission uses it to predict work that is not queued yet.
import type { Clock } from '../../lib/time/clock.ts';
import { DecayingSum } from '../../lib/time/decaying-sum.ts';
import { SEGMENTER_SETTINGS } from '../../speech/vad/segmenter.ts';

/** Audio expected of an admitted file until its windows are known or it proves slow. */
const FILE_SECONDS_EXPECTED = 30;
/** Time constant with which that expectation fades. */
const EXPECTATION_SECONDS = 1;
/** Audio of a stalled upload stops counting as work after about this long. */
const STANDSTILL_MS = 2_000;
/** Speech counts as load of a stream for about this long. */
const SPEECH_MS = 10_000;

export class Arrivals {
  readonly #clock: Clock;
  readonly #openedMs: number;
  readonly #recentSeconds = new DecayingSum(STANDSTILL_MS);
  readonly #recentSpeech = new DecayingSum(SPEECH_MS);
  #seconds = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#openedMs = clock.monotonicMs();
  }

  add(seconds: number): void {
    this.#seconds += seconds;
    this.#recentSeconds.add(seconds, this.#clock.monotonicMs());
  }

  /** Seconds of audio so far. */
  get seconds(): number {
    return this.#seconds;
  }

  addSpeech(seconds: number): void {
    this.#recentSpeech.add(seconds, this.#clock.monotonicMs());
  }

  /** Recent seconds of speech per second. A silent stream needs no recogniser. */
  get speechRate(): number {
    const windowSeconds = SPEECH_MS / 1000;
    const observedSeconds = windowSeconds * (1 - Math.exp(-this.#ageSeconds / windowSeconds));
    const speechSeconds = this.#recentSpeech.at(this.#clock.monotonicMs());
    return Math.min(1, speechSeconds / Math.max(1, observedSeconds));
  }

  /**
   * Seconds expected of an upload without windows: what arrived recently, plus a usual length in its first moments. An
   * upload that is held open or sends silence takes no room from others.
   */
  expectedSeconds(pendingSeconds: number): number {
    const movingSeconds = Math.min(pendingSeconds, this.#recentSeconds.at(this.#clock.monotonicMs()));
    return movingSeconds + FILE_SECONDS_EXPECTED * Math.exp(-this.#ageSeconds / EXPECTATION_SECONDS);
  }

  get #ageSeconds(): number {
    return (this.#clock.monotonicMs() - this.#openedMs) / 1000;
  }
}

/** Number of frames in which somebody speaks. */
export const voicedFrames = (probabilities: Float32Array): number => {
  let frames = 0;
  for (const probability of probabilities) if (probability >= SEGMENTER_SETTINGS.holdProbability) frames += 1;
  return frames;
};
