// Finds vocabulary terms by letters or by sound. The cost of a lookup is bounded for any list of terms.
import type { Term as WrittenTerm } from '@faircopy/contract';
import { lettersOf } from '../../lib/letters.ts';
import { similarity, soundOf } from './phonetic.ts';

export interface Term {
  /** The spelling to write. */
  readonly text: string;
  readonly letters: string;
  readonly sound: string;
  readonly words: number;
}

/** A pronunciation of fewer letters matches too many words. */
const LETTERS_MIN = 4;

export interface SoundMatch {
  readonly term: Term;
  /** Similarity of the letters, 0 to 1. */
  readonly similarity: number;
  /** The sounds are equal, not merely close. */
  readonly isSameSound: boolean;
}

/** A shorter sound matches too many words. */
const SOUND_MIN = 3;
/** A longer sound must match exactly: trying it without each of its letters would take too long. */
const NEAR_SOUND_MAX = 16;
const TERM_CHARACTERS_MAX = 60;
/** Terms with more words are ignored. */
const TERM_WORDS_MAX = 5;
/** At most this many terms with the same sound are compared. */
const SAME_SOUND_MAX = 8;
const NEAR_SOUND_TERMS_MAX = 12;
const CACHE_MAX = 4096;

const withoutEachLetter = (sound: string): string[] =>
  Array.from({ length: sound.length }, (_, n) => sound.slice(0, n) + sound.slice(n + 1));

export class TermIndex {
  readonly #byLetters = new Map<string, Term>();
  readonly #bySound = new Map<string, Term[]>();
  readonly #nearSound = new Map<string, Term[]>();
  readonly #answers = new Map<string, SoundMatch | undefined>();
  readonly wordsMax: number;
  /** Longer texts match no term. */
  readonly lettersMax: number;

  constructor(terms: readonly WrittenTerm[], { bySound = true }: { readonly bySound?: boolean } = {}) {
    let wordsMax = 0;
    let lettersMax = 0;
    for (const { text, soundsLike = [], weight = 1 } of terms) {
      if (text === '' || text.length > TERM_CHARACTERS_MAX) continue;
      const term = { text, letters: lettersOf(text), sound: soundOf(text), words: text.split(/\s+/u).length };
      if (term.letters === '' || term.words > TERM_WORDS_MAX) continue;
      wordsMax = Math.max(wordsMax, term.words);
      lettersMax = Math.max(lettersMax, term.letters.length);
      if (!this.#byLetters.has(term.letters)) this.#byLetters.set(term.letters, term);
      for (const letters of soundsLike.map(lettersOf))
        if (letters.length >= LETTERS_MIN && !this.#byLetters.has(letters)) this.#byLetters.set(letters, term);
      // A term with a lowered weight (rejected by people, or lowered by the caller) is never guessed by its sound.
      if (!bySound || term.sound.length < SOUND_MIN || weight < 1) continue;
      this.#add(this.#bySound, term.sound, term, SAME_SOUND_MAX);
      if (term.sound.length > NEAR_SOUND_MAX) continue;
      for (const key of [term.sound, ...withoutEachLetter(term.sound)])
        this.#add(this.#nearSound, key, term, NEAR_SOUND_TERMS_MAX);
    }
    this.wordsMax = wordsMax;
    this.lettersMax = lettersMax * 2;
  }

  #add(map: Map<string, Term[]>, key: string, term: Term, max: number): void {
    const list = map.get(key);
    if (!list) map.set(key, [term]);
    else if (list.length < max) list.push(term);
  }

  byLetters(letters: string): Term | undefined {
    return this.#byLetters.get(letters);
  }

  /** The term with the most similar letters among those that sound the same, or nearly the same. */
  bySound(letters: string): SoundMatch | undefined {
    if (this.#answers.has(letters)) return this.#answers.get(letters);
    if (this.#answers.size >= CACHE_MAX) this.#answers.clear();
    const found = this.#closest(letters);
    this.#answers.set(letters, found);
    return found;
  }

  #closest(letters: string): SoundMatch | undefined {
    const sound = soundOf(letters);
    const same = this.#bySound.get(sound);
    let best: SoundMatch | undefined;
    for (const term of same ?? this.#near(sound)) {
      const score = similarity(letters, term.letters);
      if (!best || score > best.similarity) best = { term, similarity: score, isSameSound: same !== undefined };
    }
    return best;
  }

  #near(sound: string): Iterable<Term> {
    const found = new Set<Term>();
    if (sound.length < SOUND_MIN || sound.length > NEAR_SOUND_MAX + 1) return found;
    for (const key of [sound, ...withoutEachLetter(sound)]) {
      for (const term of this.#nearSound.get(key) ?? []) {
        found.add(term);
        if (found.size >= NEAR_SOUND_TERMS_MAX) return found;
      }
    }
    return found;
  }
}
