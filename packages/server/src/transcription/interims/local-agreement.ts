// Local agreement: commits the words of the open utterance that two consecutive readings agree on.
import type { RecognisedWord } from '../../speech/recogniser.ts';
import { bare, countKnown } from '../recognition/known-words.ts';

/** Readings of a longer utterance begin at committed words instead of its start. */
const WHOLE_MS_MAX = 3_000;
/** A word this close to the end of the audio may be cut off … */
const CUT_OFF_MS = 200;
/** … unless the recogniser is this confident of it. */
const WHOLE_CONFIDENCE = 0.9;
/** Show uncommitted words up to the first one below this confidence … */
const SHOWN_CONFIDENCE = 0.6;
/** … or below this one, for words that ended at least LATER_MS before the end of the audio. */
const SHOWN_CONFIDENCE_LATER = 0.3;
const LATER_MS = 500;

export interface AgreedText {
  readonly words: readonly RecognisedWord[];
  /** How many of the words are committed. */
  readonly committed: number;
}

/** A reading of the audio between two times. */
export interface ReadWords {
  readonly words: readonly RecognisedWord[];
  readonly startMs: number;
  readonly endMs: number;
  /** Whether the audio ends in silence, so that no word is cut off. */
  readonly endsInPause: boolean;
}

export class LocalAgreement {
  #committed: RecognisedWord[];
  /** Words of the last reading that are not committed. */
  #tentative: readonly RecognisedWord[] = [];
  readonly #startMs: number;

  /** `known`: words that are already committed. */
  constructor(startMs: number, known: readonly RecognisedWord[] = []) {
    this.#startMs = startMs;
    this.#committed = [...known];
  }

  /** Committed words whose middle is at or after this time. */
  committedFrom(fromMs: number): readonly RecognisedWord[] {
    return this.#committed.filter(({ startMs, endMs }) => (startMs + endMs) / 2 >= fromMs);
  }

  get tentative(): readonly RecognisedWord[] {
    return this.#tentative;
  }

  /** Where the next reading begins, given the end of the audio and the length of its run-up. */
  readFromMs(endMs: number, runUpMs: number): number {
    if (endMs - this.#startMs <= WHOLE_MS_MAX) return this.#startMs;
    const lastEndMs = this.#committed.at(-1)?.endMs ?? this.#startMs;
    const first = this.#committed.findLast(({ startMs }) => startMs <= lastEndMs - runUpMs);
    return first?.startMs ?? this.#startMs;
  }

  /** Adds a reading; returns the words to show. */
  add(reading: ReadWords): AgreedText {
    const fresh = reading.words.slice(this.#knownCount(reading));
    let agreed = 0;
    while (agreed < fresh.length && agreed < this.#tentative.length) {
      if (bare(fresh[agreed]!) !== bare(this.#tentative[agreed]!)) break;
      agreed += 1;
    }
    this.#committed = [...this.#committed, ...fresh.slice(0, agreed)];
    this.#tentative = fresh.slice(agreed);
    return { words: [...this.#committed, ...this.#shown(reading)], committed: this.#committed.length };
  }

  /** Uncommitted words that are unlikely to change. */
  #shown({ endMs, endsInPause }: ReadWords): readonly RecognisedWord[] {
    const last = this.#tentative.at(-1);
    const isCutOff =
      last !== undefined && !endsInPause && last.endMs > endMs - CUT_OFF_MS && last.confidence < WHOLE_CONFIDENCE;
    const whole = isCutOff ? this.#tentative.slice(0, -1) : this.#tentative;
    const doubtful = whole.findIndex((word) => {
      const isLater = endMs - word.endMs >= LATER_MS;
      return word.confidence < (isLater ? SHOWN_CONFIDENCE_LATER : SHOWN_CONFIDENCE);
    });
    return doubtful === -1 ? whole : whole.slice(0, doubtful);
  }

  /** How many words at the start of a reading are already committed. A reading may cover the whole utterance. */
  #knownCount({ words, startMs: fromMs }: ReadWords): number {
    return countKnown(
      words,
      this.#committed.filter(({ endMs }) => endMs > fromMs),
    );
  }
}
