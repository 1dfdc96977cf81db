// Ends an utterance before its endpoint when its turn has probably ended: the detector can judge pauses of 100 ms.
import { secondsToSamples } from '../../audio/pcm.ts';
import { SAMPLES_PER_MS } from '../../lib/sample-rate.ts';
import type { UtteranceTracker } from '../planning/utterance-tracker.ts';
import type { Turns } from './turns.ts';

export interface EarlyEndsOptions {
  readonly turns: Turns;
  readonly tracker: Pick<UtteranceTracker, 'open' | 'judgedSamples'>;
  /** Whether the last sample received has been judged and every earlier final has been emitted. */
  readonly isUpToDate: () => boolean;
  /** The last second before a sample. */
  readonly soundBefore: (sample: number) => Float32Array;
  /** Ends the open utterance in its present pause. */
  readonly end: () => void;
}

/** A pause, named by the end of the voice before it. */
interface Heard {
  readonly voicedEndSample: number;
  readonly text: string;
}

interface Answer {
  readonly voicedEndSample: number;
  readonly chances: readonly number[];
}

/** An utterance is recognised in a pause after this much more speech, or when the pause lasts this long. */
const STEP_SAMPLES = secondsToSamples(0.5);
const LONG_PAUSE_SAMPLES = secondsToSamples(0.224);

export class EarlyEnds {
  readonly #options: EarlyEndsOptions;
  /** What the detector has not been asked about yet. */
  #heard: Heard | undefined;
  #answer: Answer | undefined;
  #recognisedSample = 0;

  constructor(options: EarlyEndsOptions) {
    this.#options = options;
  }

  /** Whether to recognise the open utterance in its present pause. */
  get isDue(): boolean {
    const { open, judgedSamples } = this.#options.tracker;
    if (!open || open.voicedEndSample === this.#recognisedSample) return true;
    const isLong = judgedSamples - open.voicedEndSample >= LONG_PAUSE_SAMPLES;
    return isLong || open.voicedEndSample - this.#recognisedSample >= STEP_SAMPLES;
  }

  recognising(voicedEndSample: number): void {
    this.#recognisedSample = voicedEndSample;
  }

  /** Takes the words of the open utterance before a pause, which may be over by now. */
  recognised(text: string, voicedEndSample: number): Promise<void> {
    if (text.trim() !== '') this.#heard = { text, voicedEndSample };
    return this.check();
  }

  /** To be called while a pause lasts: the longer it is, the likelier is the end. */
  async check(): Promise<void> {
    if (!this.#options.isUpToDate()) return;
    if (this.#answer && this.#isPause(this.#answer)) this.#endIfLikely(this.#answer);
    const heard = this.#heard;
    if (!heard || !this.#isPause(heard)) return;
    this.#heard = undefined;
    const { turns, soundBefore } = this.#options;
    const { voicedEndSample, text } = heard;
    const pause = { atMs: voicedEndSample / SAMPLES_PER_MS, samples: soundBefore(voicedEndSample) };
    const chances = await turns.chances(pause, text);
    if (chances === null) return;
    this.#answer = { voicedEndSample, chances };
    if (this.#options.isUpToDate() && this.#isPause(heard)) this.#endIfLikely(this.#answer);
  }

  #endIfLikely({ voicedEndSample, chances }: Answer): void {
    const { turns, tracker, end } = this.#options;
    const pauseMs = (tracker.judgedSamples - voicedEndSample) / SAMPLES_PER_MS;
    if (turns.isEnd(chances, pauseMs)) end();
  }

  #isPause({ voicedEndSample }: Pick<Heard, 'voicedEndSample'>): boolean {
    return this.#options.tracker.open?.voicedEndSample === voicedEndSample;
  }
}
