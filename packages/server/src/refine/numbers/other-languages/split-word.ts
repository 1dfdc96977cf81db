// Splits a word into the parts of a number: "vierundzwanzig" into vier, und, zwanzig.
import type { Lexicon, Part } from '../number-language.ts';

/** Longer words are not numbers. */
const WORD_CHARACTERS_MAX = 90;

const split = (word: string, from: number, lexicon: Lexicon, longest: number): readonly Part[] | null => {
  if (from === word.length) return [];
  for (let length = Math.min(longest, word.length - from); length >= 1; length--) {
    const text = word.slice(from, from + length);
    const ends = from + length === word.length;
    const part = lexicon.parts.get(text) ?? (ends ? undefined : lexicon.elided.get(text));
    if (!part) continue;
    const rest = split(word, from + length, lexicon, longest);
    if (rest) return [part, ...rest];
  }
  return null;
};

const CACHE_WORDS_MAX = 20_000;
const caches = new Map<Lexicon, { longest: number; words: Map<string, readonly Part[] | null> }>();

const splitWord = (word: string, lexicon: Lexicon, longest: number): readonly Part[] | null => {
  const pieces = word.split('-');
  const found: Part[] = [];
  for (const piece of pieces) {
    const whole = lexicon.parts.get(piece);
    const parts = whole ? [whole] : lexicon.compound && piece !== '' ? split(piece, 0, lexicon, longest) : null;
    if (!parts) return null;
    found.push(...parts);
  }
  // "achten" and "drieën" are not numbers.
  const isLoose = found.length > 1 && (found[0]!.kind === 'and' || found.at(-1)!.kind === 'and');
  return isLoose ? null : found;
};

/** The parts of a number word, or null for any other word. */
export const partsOf = (word: string, lexicon: Lexicon): readonly Part[] | null => {
  if (word.length > WORD_CHARACTERS_MAX || word === '') return null;
  let cache = caches.get(lexicon);
  if (!cache) {
    cache = { longest: Math.max(...[...lexicon.parts.keys()].map(({ length }) => length)), words: new Map() };
    caches.set(lexicon, cache);
  }
  const known = cache.words.get(word);
  if (known !== undefined) return known;
  const parts = splitWord(word, lexicon, cache.longest);
  if (cache.words.size >= CACHE_WORDS_MAX) cache.words.clear();
  cache.words.set(word, parts);
  return parts;
};
