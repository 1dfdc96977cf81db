// Prepares the terms of a request for comparison, and finds the places in a text where one may have been said.
import type { Term } from '@faircopy/contract';
import { lettersOf } from '../../lib/letters.ts';
import { TERM_RULES } from './rules.ts';
import { PHONES_MAX, phonesOf } from './sound.ts';
import { type IndexedSound, SoundIndex } from './sound-index.ts';

/** A term that may have been said in place of some words. */
export interface Candidate {
  readonly term: Term;
  /** Range of the words. */
  readonly from: number;
  readonly to: number;
  /** 0 to 1. */
  readonly alikeness: number;
}

/** A term may have been heard as up to this many more words than it has. */
const EXTRA_WORDS = 2;
const WORDS_MAX = 8;
/** Fewer phones match too many words. */
const PHONES_MIN = 3;
/** Shorter words exist in many languages. */
const TELLING_LETTERS = 4;
/** Encoded texts kept per list. */
const TOKENS_KEPT = 10_000;
const ENDS_SENTENCE = /[.!?]["')\]]*$/u;

/** A session sends the same terms with every window; a recogniser serves a few sessions in turn. */
const LISTS_KEPT = 16;
const lists = new Map<string, TermList>();

/** Undefined when there are no terms. */
export const prepareTerms = (terms: readonly Term[]): TermList | undefined => {
  if (terms.length === 0) return undefined;
  const key = JSON.stringify(terms);
  const list = lists.get(key) ?? new TermList(terms);
  lists.delete(key);
  lists.set(key, list);
  for (const oldest of lists.keys()) {
    if (lists.size <= LISTS_KEPT) break;
    lists.delete(oldest);
  }
  return list;
};

/** Words kept in the cache: most words recur. */
const WORDS_KEPT = 20_000;
const phonesByWord = new Map<string, string>();

const phonesOfWord = (letters: string): string => {
  const known = phonesByWord.get(letters);
  if (known !== undefined) return known;
  const phones = phonesOf(letters);
  if (phonesByWord.size >= WORDS_KEPT) phonesByWord.clear();
  phonesByWord.set(letters, phones);
  return phones;
};

export class TermList {
  readonly #terms: readonly Term[];
  readonly #sounds: SoundIndex;
  readonly #byLetters: ReadonlySet<string>;
  readonly #wordsMax: number;
  readonly #tokens = new Map<string, readonly number[]>();
  readonly weightMax: number;

  constructor(terms: readonly Term[]) {
    this.#terms = terms.filter(({ text }) => wordsOf(text) <= WORDS_MAX);
    this.#byLetters = new Set(this.#terms.map(({ text }) => lettersOf(text)).filter((letters) => letters !== ''));
    this.#wordsMax = Math.max(0, ...this.#terms.map(({ text }) => wordsOf(text))) + EXTRA_WORDS;
    // A term of weight 0 is never written; it only keeps other terms from replacing it where it was heard.
    this.#sounds = new SoundIndex(
      this.#terms.flatMap((term, index) => (term.weight === 0 ? [] : soundsOf(term, index))),
    );
    this.weightMax = Math.max(0, ...this.#terms.map(({ weight = 1 }) => weight));
  }

  get size(): number {
    return this.#terms.length;
  }

  /** The tokens of a text, encoded once per model. */
  tokensOf(model: string, text: string, encode: (text: string) => readonly number[]): readonly number[] {
    const key = `${model}\n${text}`;
    const known = this.#tokens.get(key);
    if (known) return known;
    const tokens = encode(text);
    if (this.#tokens.size >= TOKENS_KEPT) this.#tokens.clear();
    this.#tokens.set(key, tokens);
    return tokens;
  }

  /**
   * Most alike first. Of a term's overlapping places, only the most alike is kept. `leastOf`: the least alikeness that
   * a range of words needs; above 1, the range is skipped.
   */
  candidates(
    words: readonly string[],
    firstWord = 0,
    leastOf: (from: number, to: number) => number = () => TERM_RULES.alikeMin,
  ): Candidate[] {
    if (this.weightMax === 0) return [];
    const letters = words.map(lettersOf);
    const isHeard = this.#heardIn(letters);
    const phones = letters.map(phonesOfWord);
    const found: Candidate[] = [];
    for (let from = firstWord; from < words.length; from++) {
      let heard = '';
      for (let to = from + 1; to <= Math.min(words.length, from + this.#wordsMax) && !isHeard[to - 1]; to++) {
        if (to - from > 1 && ENDS_SENTENCE.test(words[to - 2]!)) break;
        heard += heard.at(-1) === phones[to - 1]!.at(0) ? phones[to - 1]!.slice(1) : phones[to - 1]!;
        if (!this.#sounds.reaches(heard)) break;
        const least = Math.max(TERM_RULES.alikeMin, leastOf(from, to));
        if (least > 1) continue;
        this.#sounds.search(heard, to - from, least, (term, alikeness) =>
          found.push({ term: this.#terms[term]!, from, to, alikeness }),
        );
      }
    }
    const places = new Map<Term, Candidate[]>();
    return found
      .sort((a, b) => b.alikeness - a.alikeness)
      .filter((candidate) => {
        const taken = places.get(candidate.term) ?? [];
        if (taken.some(({ from, to }) => candidate.to > from && candidate.from < to)) return false;
        places.set(candidate.term, [...taken, candidate]);
        return true;
      });
  }

  /** How many words of a text are terms or parts of terms. Short words do not count: they may be of any language. */
  heardIn(text: string): number {
    const letters = text.split(/\s+/u).map(lettersOf);
    const isHeard = this.#heardIn(letters);
    return letters.filter((word, at) => isHeard[at] && word.length >= TELLING_LETTERS).length;
  }

  /** Marks the words that already are a term or part of one: no other term is searched for there. */
  #heardIn(letters: readonly string[]): readonly boolean[] {
    const isHeard = letters.map(() => false);
    for (let from = 0; from < letters.length; from++) {
      let joined = '';
      for (let to = from + 1; to <= Math.min(letters.length, from + this.#wordsMax); to++) {
        joined += letters[to - 1]!;
        if (this.#byLetters.has(joined)) isHeard.fill(true, from, to);
      }
    }
    return isHeard;
  }
}

const wordsOf = (text: string): number => text.split(/\s+/u).length;

/** How a term may sound: from its spelling, and from the caller's pronunciations. */
const soundsOf = ({ text, soundsLike = [] }: Term, term: number): IndexedSound[] =>
  [...new Set([text, ...soundsLike].map(phonesOf))]
    .filter(({ length }) => length >= PHONES_MIN && length <= PHONES_MAX)
    .map((phones) => ({ phones, term, wordsMax: wordsOf(text) + EXTRA_WORDS }));
