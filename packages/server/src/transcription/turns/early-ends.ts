// Ends an utterance before its endpoint when the turn has probably ended: the detector judges pauses of 100 ms already.
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { UtteranceTracker } from '../planning/utterance-tracker.ts';
import type { Turns } from './turns.ts';

export interface EarlyEndsOptions {
  readonly turns: Turns;
  readonly tracker: Pick<UtteranceTracker, 'open' | 'judgedSamples'>;
  /** The last second before a sample. */
  readonly soundBefore: (sample: number) => Float32Array;
  /** Ends the open utterance in its present pause. */
  readonly end: () => void;
}

export class EarlyEnds {
  readonly #options: EarlyEndsOptions;
  /** The last answer of the detector, and the end of the voice that it is about. */
  #answer: { readonly voicedEndSample: number; readonly chances: readonly number[] } | undefined;

  constructor(options: EarlyEndsOptions) {
    this.#options = options;
  }

  /** Takes what was recognised up to a pause, which may be over by now. */
  async recognised(text: string, voicedEndSample: number): Promise<void> {
    const { turns, soundBefore } = this.#options;
    if (text.trim() === '' || !this.#isPause(voicedEndSample)) return;
    const pause = { atMs: voicedEndSample / SAMPLES_PER_MS, samples: soundBefore(voicedEndSample) };
    const chances = await turns.chances(pause, text);
    if (chances === null) return;
    this.#answer = { voicedEndSample, chances };
    this.check();
  }

  /** To be called while the pause lasts: the longer it is, the likelier is the end. */
  check(): void {
    const { turns, tracker, end } = this.#options;
    if (this.#answer === undefined || !this.#isPause(this.#answer.voicedEndSample)) return;
    const { voicedEndSample, chances } = this.#answer;
    const pauseMs = (tracker.judgedSamples - voicedEndSample) / SAMPLES_PER_MS;
    if (!turns.isEnd(chances, pauseMs)) return;
    this.#answer = undefined;
    end();
  }

  #isPause(voicedEndSample: number): boolean {
    return this.#options.tracker.open?.voicedEndSample === voicedEndSample;
  }
}
