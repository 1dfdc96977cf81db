// The terms of a request, prepared for comparison, and the places in a text where one may have been said.
import type { Term } from '@faircopy/contract';
import { alikeness, lettersOf, PHONES_MAX, phonesOf } from './sound.ts';

interface PreparedTerm {
  readonly term: Term;
  readonly letters: string;
  /** How it may sound: as it is written, or as the caller says. */
  readonly sounds: readonly string[];
  readonly words: number;
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
/** A term may have been heard as this many more words than it has. */
const EXTRA_WORDS = 2;
const WORDS_MAX = 8;
/** Fewer phones match too many words. */
const PHONES_MIN = 3;
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

export class TermList {
  readonly #terms: readonly PreparedTerm[];
  readonly #byLetters: ReadonlySet<string>;
  readonly #wordsMax: number;

  constructor(terms: readonly Term[]) {
    this.#terms = terms.map(prepare).filter(({ sounds, words }) => sounds.length > 0 && words <= WORDS_MAX);
    this.#byLetters = new Set(this.#terms.map(({ letters }) => letters));
    this.#wordsMax = Math.max(0, ...this.#terms.map(({ words }) => words)) + EXTRA_WORDS;
  }

  /** Most alike first; of the places of a term that overlap, only the most alike. */
  candidates(words: readonly string[], firstWord = 0): Candidate[] {
    if (this.#terms.length === 0) return [];
    const letters = words.map(lettersOf);
    const isHeard = this.#heardIn(letters);
    const found: Candidate[] = [];
    for (let from = firstWord; from < words.length; from++) {
      for (let to = from + 1; to <= Math.min(words.length, from + this.#wordsMax) && !isHeard[to - 1]; to++) {
        if (to - from > 1 && ENDS_SENTENCE.test(words[to - 2]!)) break;
        this.#compare(letters.slice(from, to).join(''), from, to, found);
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

  #compare(letters: string, from: number, to: number, found: Candidate[]): void {
    const heard = phonesOf(letters);
    if (heard.length > PHONES_MAX) return;
    for (const { term, sounds, words } of this.#terms) {
      if (to - from > words + EXTRA_WORDS) continue;
      let best = 0;
      for (const sound of sounds) {
        const shorter = Math.min(sound.length, heard.length);
        const longer = Math.max(sound.length, heard.length);
        if (shorter >= ALIKE_MIN * longer - 1) best = Math.max(best, alikeness(heard, sound));
      }
      if (best >= ALIKE_MIN) found.push({ term, from, to, alikeness: best });
    }
  }
}

const prepare = (term: Term): PreparedTerm => ({
  term,
  letters: lettersOf(term.text),
  sounds: [...new Set([term.text, ...(term.soundsLike ?? [])].map(phonesOf))].filter(
    ({ length }) => length >= PHONES_MIN && length <= PHONES_MAX,
  ),
  words: term.text.split(/\s+/u).length,
});
