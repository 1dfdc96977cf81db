// Indexes the sounds of a list of terms, so that most of them need no comparison with what was heard.
import { TERM_RULES } from './rules.ts';
import { alikeness, CONSONANT_CLASSES, PHONES_MAX, profileOf } from './sound.ts';

export interface IndexedSound {
  readonly phones: string;
  /** The index of its term. */
  readonly term: number;
  /** A term may have been heard as at most this many words. */
  readonly wordsMax: number;
}

/** Maximum number of phones in a short sound. */
const SHORT_PHONES = 4;
/** The shorter of two sounds has at least this share of the phones of the longer one, minus one. */
const LENGTH_SHARE_MIN = 0.6;
/** Maximum number of consonants that only one side has: this many, or this share of the longer sound. */
const UNLIKE_MIN = 2;
const UNLIKE_SHARE = 0.35;

export class SoundIndex {
  /** Shortest first. */
  readonly #sounds: readonly IndexedSound[];
  /** Where the sounds of each length begin. */
  readonly #starts: readonly number[];
  readonly #profiles: Uint8Array;
  readonly #wordsMax: Uint8Array;
  readonly #longest: number;

  constructor(sounds: readonly IndexedSound[]) {
    this.#sounds = [...sounds].sort((a, b) => a.phones.length - b.phones.length);
    this.#longest = this.#sounds.at(-1)?.phones.length ?? 0;
    this.#starts = Array.from({ length: PHONES_MAX + 2 }, (_, length) => {
      const at = this.#sounds.findIndex(({ phones }) => phones.length >= length);
      return at === -1 ? this.#sounds.length : at;
    });
    this.#profiles = new Uint8Array(this.#sounds.length * CONSONANT_CLASSES);
    for (const [at, { phones }] of this.#sounds.entries())
      this.#profiles.set(profileOf(phones), at * CONSONANT_CLASSES);
    this.#wordsMax = Uint8Array.from(this.#sounds, ({ wordsMax }) => wordsMax);
  }

  /** Whether a sound that begins with these phones may still resemble a term. */
  reaches(heard: string): boolean {
    return heard.length <= 2 * this.#longest;
  }

  /** Reports the terms whose alikeness to the phones heard in this number of words is at least `least`. */
  search(heard: string, words: number, least: number, report: (term: number, alikeness: number) => void): void {
    const { length } = heard;
    const shortest = Math.max(0, Math.ceil(LENGTH_SHARE_MIN * length - 1));
    const longest = Math.min(PHONES_MAX, Math.floor((length + 1) / LENGTH_SHARE_MIN));
    if (shortest > longest) return;
    const from = this.#starts[shortest]!;
    const to = this.#starts[longest + 1]!;
    const profile = profileOf(heard);
    for (let at = from; at < to; at++) {
      if (this.#wordsMax[at]! < words) continue;
      const sound = this.#sounds[at]!;
      const longer = Math.max(length, sound.phones.length);
      if (this.#unlike(at, profile) > Math.max(UNLIKE_MIN, UNLIKE_SHARE * longer)) continue;
      const leastHere = longer > SHORT_PHONES ? least : Math.max(least, TERM_RULES.shortAlikeMin);
      const alike = alikeness(heard, sound.phones, leastHere);
      if (alike > 0) report(sound.term, alike);
    }
  }

  /** Consonants that only one of the two sounds has. */
  #unlike(at: number, profile: Uint8Array): number {
    let unlike = 0;
    for (let index = 0; index < CONSONANT_CLASSES; index++)
      unlike += Math.abs(this.#profiles[at * CONSONANT_CLASSES + index]! - profile[index]!);
    return unlike;
  }
}
