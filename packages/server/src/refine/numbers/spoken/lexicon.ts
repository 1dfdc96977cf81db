// The parts that spoken numbers are made of, and how a word is split into them.

/** "hundreds" are whole ("doscientos"), "hundred" multiplies, "round hundred" takes nothing after it ("cien"). */
export type PartKind = 'digit' | 'teen' | 'tens' | 'pair' | 'hundreds' | 'round hundred' | 'hundred' | 'scale' | 'and';

/** One part of a number: "vier", "und", "zwanzig" of "vierundzwanzig". */
export interface Part {
  readonly kind: PartKind;
  readonly value: number;
}

export interface Lexicon {
  readonly code: string;
  readonly parts: ReadonlyMap<string, Part>;
  /** Parts that stand only before others in one word: "vent" of "ventuno". */
  readonly elided: ReadonlyMap<string, Part>;
  /** Parts are written as one word: "zweihundertdrei", "duecentotre". */
  readonly compound: boolean;
  /** Forms of "one" that are articles too: alone they are no number. */
  readonly articles: ReadonlySet<string>;
  readonly grammar: Grammar;
  /** Words between a number and its decimals, with the mark each one writes. */
  readonly decimalMarks: ReadonlyMap<string, ',' | '.'>;
  /** Words that count as a digit only among other digits: Portuguese "meia" for six. */
  readonly digitsInRuns: ReadonlyMap<string, number>;
  /** Suffixes or words of ordinals. */
  readonly ordinals: OrdinalForms;
}

export interface Grammar {
  /** "vierundzwanzig": the digit stands before the tens. */
  readonly digitFirst: boolean;
  /** What stands between tens and digit: "treinta y cinco" needs it, French only before one and eleven. */
  readonly tensJoint: 'always' | 'never' | 'french';
  /** "hundert und fünf" */
  readonly jointAfterHundred: boolean;
  /** "tausend und eins" */
  readonly jointAfterScale: boolean;
  /** "quatre-vingt-dix-sept" */
  readonly countsByTwenty: boolean;
  /** The largest number before "hundred": 19 in "dix-neuf cent", 99 in "tweeënzeventighonderd". */
  readonly hundredsHeadMax: number;
}

export interface OrdinalForms {
  /** Ordinals with a word of their own. */
  readonly words: ReadonlyMap<string, number>;
  /** Endings that make an ordinal of a cardinal. */
  readonly endings: readonly string[];
}

/** "eins zwei drei" with the value of the first: a part for each word; "zwei|zwo" are two forms of one. */
export const partsFrom = (kind: PartKind, first: number, step: number, list: string): [string, Part][] =>
  list
    .trim()
    .split(/\s+/u)
    .flatMap((forms, n) => forms.split('|').map((form): [string, Part] => [form, { kind, value: first + n * step }]));

/** Numbers of more letters than this are not spoken. */
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
  // "achten" and "drieën" are no numbers.
  const loose = found.length > 1 && (found[0]!.kind === 'and' || found.at(-1)!.kind === 'and');
  return loose ? null : found;
};

/** The parts of a word, or null when it is no number word. */
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
