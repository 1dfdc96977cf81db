// The account's terms, found by letters or by sound in constant time.
import { lettersOf, likeness, soundOf } from './phonetic.ts';

export interface Term {
  /** As it must read. */
  readonly text: string;
  readonly letters: string;
  readonly sound: string;
  readonly words: number;
}

/** A sound shorter than this fits too many words to mean anything. */
const SOUND_MIN = 3;
const NEAR_SOUND_MIN = 3;
const TERM_CHARACTERS_MAX = 60;

const without = (sound: string): string[] =>
  Array.from({ length: sound.length }, (_, n) => sound.slice(0, n) + sound.slice(n + 1));

export class TermIndex {
  readonly #byLetters = new Map<string, Term>();
  readonly #bySound = new Map<string, Term[]>();
  readonly #nearSound = new Map<string, Term[]>();
  readonly wordsMax: number;

  constructor(terms: readonly string[]) {
    const kept = terms.map((text) => text.trim()).filter((text) => text !== '' && text.length <= TERM_CHARACTERS_MAX);
    let wordsMax = 0;
    for (const text of new Set(kept)) {
      const term = { text, letters: lettersOf(text), sound: soundOf(text), words: text.split(/\s+/u).length };
      if (term.letters === '') continue;
      wordsMax = Math.max(wordsMax, term.words);
      this.#byLetters.set(term.letters, term);
      if (term.sound.length >= SOUND_MIN) this.#add(this.#bySound, term.sound, term);
      if (term.sound.length >= NEAR_SOUND_MIN)
        for (const key of [term.sound, ...without(term.sound)]) this.#add(this.#nearSound, key, term);
    }
    this.wordsMax = wordsMax;
  }

  #add(map: Map<string, Term[]>, key: string, term: Term): void {
    const list = map.get(key);
    if (list) list.push(term);
    else map.set(key, [term]);
  }

  byLetters(letters: string): Term | undefined {
    return this.#byLetters.get(letters);
  }

  /** The term most like these letters among those that sound the same, or nearly so. */
  bySound(letters: string): { term: Term; likeness: number; exact: boolean } | undefined {
    const sound = soundOf(letters);
    const same = this.#bySound.get(sound);
    const near =
      same ??
      (sound.length >= NEAR_SOUND_MIN
        ? [sound, ...without(sound)].flatMap((key) => this.#nearSound.get(key) ?? [])
        : []);
    let best: { term: Term; likeness: number; exact: boolean } | undefined;
    for (const term of near) {
      const score = likeness(letters, term.letters);
      if (!best || score > best.likeness) best = { term, likeness: score, exact: same !== undefined };
    }
    return best;
  }
}
