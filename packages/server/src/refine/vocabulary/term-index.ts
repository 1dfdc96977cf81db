// The account's terms, found by letters or by sound, at a cost that no choice of terms can raise.
import { lettersOf, likeness, soundOf } from './phonetic.ts';

export interface Term {
  /** As it must read. */
  readonly text: string;
  readonly letters: string;
  readonly sound: string;
  readonly words: number;
}

export interface NearTerm {
  readonly term: Term;
  readonly likeness: number;
  readonly exact: boolean;
}

/** A sound shorter than this fits too many words to mean anything. */
const SOUND_MIN = 3;
/** A sound longer than this is matched only as a whole: leaving out each of its letters would take too long. */
const NEAR_SOUND_MAX = 16;
const TERM_CHARACTERS_MAX = 60;
/** A term of more words is found only as it is written. */
const TERM_WORDS_MAX = 5;
/** So many terms of one sound are compared; more of them cannot all be what was said. */
const SAME_SOUND_MAX = 8;
const NEAR_SOUND_TERMS_MAX = 12;
/** Words repeat, and so do the questions. */
const CACHE_MAX = 4096;

const without = (sound: string): string[] =>
  Array.from({ length: sound.length }, (_, n) => sound.slice(0, n) + sound.slice(n + 1));

export class TermIndex {
  readonly #byLetters = new Map<string, Term>();
  readonly #bySound = new Map<string, Term[]>();
  readonly #nearSound = new Map<string, Term[]>();
  readonly #answers = new Map<string, NearTerm | undefined>();
  readonly wordsMax: number;
  /** What is longer than this has no term like it. */
  readonly lettersMax: number;

  constructor(terms: readonly string[]) {
    const kept = terms.map((text) => text.trim()).filter((text) => text !== '' && text.length <= TERM_CHARACTERS_MAX);
    let wordsMax = 0;
    let lettersMax = 0;
    for (const text of new Set(kept)) {
      const term = { text, letters: lettersOf(text), sound: soundOf(text), words: text.split(/\s+/u).length };
      if (term.letters === '' || term.words > TERM_WORDS_MAX) continue;
      wordsMax = Math.max(wordsMax, term.words);
      lettersMax = Math.max(lettersMax, term.letters.length);
      this.#byLetters.set(term.letters, term);
      if (term.sound.length < SOUND_MIN) continue;
      this.#add(this.#bySound, term.sound, term, SAME_SOUND_MAX);
      if (term.sound.length > NEAR_SOUND_MAX) continue;
      for (const key of [term.sound, ...without(term.sound)])
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

  /** The term most like these letters among those that sound the same, or nearly so. */
  bySound(letters: string): NearTerm | undefined {
    if (this.#answers.has(letters)) return this.#answers.get(letters);
    if (this.#answers.size >= CACHE_MAX) this.#answers.clear();
    const found = this.#closest(letters);
    this.#answers.set(letters, found);
    return found;
  }

  #closest(letters: string): NearTerm | undefined {
    const sound = soundOf(letters);
    const same = this.#bySound.get(sound);
    let best: NearTerm | undefined;
    for (const term of same ?? this.#near(sound)) {
      const score = likeness(letters, term.letters);
      if (!best || score > best.likeness) best = { term, likeness: score, exact: same !== undefined };
    }
    return best;
  }

  #near(sound: string): Iterable<Term> {
    const found = new Set<Term>();
    if (sound.length < SOUND_MIN || sound.length > NEAR_SOUND_MAX + 1) return found;
    for (const key of [sound, ...without(sound)]) {
      for (const term of this.#nearSound.get(key) ?? []) {
        found.add(term);
        if (found.size >= NEAR_SOUND_TERMS_MAX) return found;
      }
    }
    return found;
  }
}
