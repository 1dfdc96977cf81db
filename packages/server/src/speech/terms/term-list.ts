// The terms of a request, prepared for comparison, and the places in a text where one may have been said.
import type { Term } from '@faircopy/contract';
import { alikeness, lettersOf, PHONES_MAX, type Profile, phonesOf, profileOf, unlikeConsonants } from './sound.ts';

interface PreparedTerm {
  readonly term: Term;
  readonly letters: string;
  /** How it may sound: as it is written, or as the caller says. */
  readonly sounds: readonly Sound[];
  readonly words: number;
}

interface Sound {
  readonly phones: string;
  readonly profile: Profile;
}

/** A term that may have been said in place of some words. */
export interface Candidate {
  readonly term: Term;
  /** The words in question. */
  readonly from: number;
  readonly to: number;
  /** 0 to 1. */
  readonly alikeness: number;
}

/** Less alike, a term was practically never said. */
export const ALIKE_MIN = 0.6;
/** Short sounds are like many others by chance. */
const SHORT_PHONES = 4;
const SHORT_ALIKE_MIN = 0.74;
/** Consonants that only one side may have: this many, or this share of the sound. */
const UNLIKE_MIN = 2;
const UNLIKE_SHARE = 0.35;
/** A term may have been heard as this many more words than it has. */
const EXTRA_WORDS = 2;
const WORDS_MAX = 8;
/** Fewer phones match too many words. */
const PHONES_MIN = 3;
/** Encoded texts kept per list. */
const TOKENS_KEPT = 10_000;
const ENDS_SENTENCE = /[.!?]["')\]]*$/u;

/** A session sends the same terms with every window; a recogniser serves a few sessions in turn. */
const LISTS_KEPT = 4;
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

/** Most words are said again and again. */
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
  readonly #terms: readonly PreparedTerm[];
  readonly #byLetters: ReadonlySet<string>;
  readonly #wordsMax: number;
  /** Longer sounds are like no term. */
  readonly #phonesMax: number;
  readonly #tokens = new Map<string, readonly number[]>();

  constructor(terms: readonly Term[]) {
    this.#terms = terms.map(prepare).filter(({ sounds, words }) => sounds.length > 0 && words <= WORDS_MAX);
    this.#byLetters = new Set(this.#terms.map(({ letters }) => letters));
    this.#phonesMax =
      2 * Math.max(0, ...this.#terms.flatMap(({ sounds }) => sounds.map(({ phones }) => phones.length)));
    this.#wordsMax = Math.max(0, ...this.#terms.map(({ words }) => words)) + EXTRA_WORDS;
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

  /** Most alike first; of the places of a term that overlap, only the most alike. */
  candidates(words: readonly string[], firstWord = 0): Candidate[] {
    if (this.#terms.length === 0) return [];
    const letters = words.map(lettersOf);
    const isHeard = this.#heardIn(letters);
    const phones = letters.map(phonesOfWord);
    const found: Candidate[] = [];
    for (let from = firstWord; from < words.length; from++) {
      let heard = '';
      for (let to = from + 1; to <= Math.min(words.length, from + this.#wordsMax) && !isHeard[to - 1]; to++) {
        if (to - from > 1 && ENDS_SENTENCE.test(words[to - 2]!)) break;
        heard += heard.at(-1) === phones[to - 1]!.at(0) ? phones[to - 1]!.slice(1) : phones[to - 1]!;
        this.#compare(heard, from, to, found);
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

  /** Words that are a term, or part of one, as they are: no other term is looked for there. */
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

  #compare(heard: string, from: number, to: number, found: Candidate[]): void {
    if (heard.length > this.#phonesMax) return;
    const profile = profileOf(heard);
    for (const { term, sounds, words } of this.#terms) {
      if (to - from > words + EXTRA_WORDS) continue;
      let best = 0;
      for (const sound of sounds) {
        const longer = Math.max(sound.phones.length, heard.length);
        const shorter = Math.min(sound.phones.length, heard.length);
        const unlikeMax = Math.max(UNLIKE_MIN, UNLIKE_SHARE * longer);
        if (shorter < ALIKE_MIN * longer - 1 || unlikeConsonants(sound.profile, profile) > unlikeMax) continue;
        const least = longer > SHORT_PHONES ? ALIKE_MIN : SHORT_ALIKE_MIN;
        best = Math.max(best, alikeness(heard, sound.phones, least));
      }
      if (best > 0) found.push({ term, from, to, alikeness: best });
    }
  }
}

const prepare = (term: Term): PreparedTerm => ({
  term,
  letters: lettersOf(term.text),
  sounds: [...new Set([term.text, ...(term.soundsLike ?? [])].map(phonesOf))]
    .filter(({ length }) => length >= PHONES_MIN && length <= PHONES_MAX)
    .map((phones) => ({ phones, profile: profileOf(phones) })),
  words: term.text.split(/\s+/u).length,
});
