// Local agreement: words of the open utterance on which two readings in a row agree are committed, and stay.
import type { RecognisedWord } from '../../speech/recogniser.ts';

/** From here on a reading begins at committed words, and no longer with the utterance. */
const WHOLE_MS_MAX = 3_500;
/** Committed speech that is read again, so that the new words have a run-up. */
const RUN_UP_MS = 1_200;
/** A word that ends so close to the end of the audio may be cut off. */
const CUT_OFF_MS = 240;
/** Committed words that are looked for at the beginning of a reading. */
const SOUGHT_WORDS = 24;

export interface AgreedText {
  readonly words: readonly RecognisedWord[];
  /** How many of the words are committed. */
  readonly committed: number;
}

const bare = ({ text }: RecognisedWord): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '') || text;

export class LocalAgreement {
  #committed: RecognisedWord[] = [];
  /** Words of the last reading that are not committed. */
  #tentative: readonly RecognisedWord[] = [];
  readonly #startMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /** Where the next reading should begin, when the audio reaches to `endMs`. */
  readFromMs(endMs: number): number {
    if (endMs - this.#startMs <= WHOLE_MS_MAX) return this.#startMs;
    const lastEndMs = this.#committed.at(-1)?.endMs ?? this.#startMs;
    const first = this.#committed.findLast(({ startMs }) => startMs <= lastEndMs - RUN_UP_MS);
    return first?.startMs ?? this.#startMs;
  }

  /** Takes a reading of the audio between two times; gives the text to show. */
  add(words: readonly RecognisedWord[], fromMs: number, endMs: number): AgreedText {
    const fresh = words.slice(this.#knownCount(words, fromMs));
    let agreed = 0;
    while (agreed < fresh.length && agreed < this.#tentative.length) {
      if (bare(fresh[agreed]!) !== bare(this.#tentative[agreed]!)) break;
      agreed += 1;
    }
    const isSeenTwice = agreed === fresh.length;
    this.#committed = [...this.#committed, ...fresh.slice(0, agreed)];
    this.#tentative = fresh.slice(agreed);
    // The last word may be half a word.
    const last = this.#tentative.at(-1);
    const isCutOff = last !== undefined && !isSeenTwice && last.endMs > endMs - CUT_OFF_MS;
    const shown = isCutOff ? this.#tentative.slice(0, -1) : this.#tentative;
    return { words: [...this.#committed, ...shown], committed: this.#committed.length };
  }

  /** How many words at the beginning of a reading are committed ones, by the fewest edits between the two. */
  #knownCount(words: readonly RecognisedWord[], fromMs: number): number {
    const known = this.#committed.filter(({ endMs }) => endMs > fromMs).slice(-SOUGHT_WORDS);
    const expected = known.length;
    let costs = words.map((_, at) => at + 1);
    costs.unshift(0);
    for (const word of known) {
      const next = [costs[0]! + 1];
      for (let at = 1; at <= words.length; at++) {
        const replaced = costs[at - 1]! + (bare(words[at - 1]!) === bare(word) ? 0 : 1);
        next.push(Math.min(replaced, costs[at]! + 1, next[at - 1]! + 1));
      }
      costs = next;
    }
    let best = 0;
    for (let at = 1; at < costs.length; at++) {
      const isNearer = Math.abs(at - expected) < Math.abs(best - expected);
      if (costs[at]! < costs[best]! || (costs[at] === costs[best] && isNearer)) best = at;
    }
    return best;
  }
}
