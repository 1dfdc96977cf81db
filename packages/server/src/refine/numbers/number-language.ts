// The number words and written forms of a language other than English.
import type { WordSet } from '../words.ts';

/** "hundreds" are complete ("doscientos"), "hundred" multiplies, "round hundred" takes no smaller number ("cien"). */
type PartKind = 'digit' | 'teen' | 'tens' | 'pair' | 'hundreds' | 'round hundred' | 'hundred' | 'scale' | 'and';

/** One part of a number, such as "vier", "und" or "zwanzig" in "vierundzwanzig". */
export interface Part {
  readonly kind: PartKind;
  readonly value: number;
}

export interface Grammar {
  /** "vierundzwanzig": the digit comes before the tens. */
  readonly digitFirst: boolean;
  /** Whether "and" joins tens and digit: always in "treinta y cinco", in French only before one and eleven. */
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

/** How spoken numbers are read. */
export interface Lexicon {
  readonly code: string;
  readonly grammar: Grammar;
  /** Parts are written as one word: "zweihundertdrei", "duecentotre". */
  readonly compound: boolean;
  readonly parts: ReadonlyMap<string, Part>;
  /** Parts that only occur before others in one word: "vent" of "ventuno". */
  readonly elided: ReadonlyMap<string, Part>;
  /** Forms of "one" that are also articles; on their own they are not numbers. */
  readonly articles: WordSet;
  /** Words that count as a digit only among other digits: Portuguese "meia" for six. */
  readonly digitsInRuns: ReadonlyMap<string, number>;
  /** Spoken words for the decimal mark, each with the mark to write. */
  readonly decimalMarks: ReadonlyMap<string, ',' | '.'>;
  readonly ordinals: ReadonlyMap<string, number>;
  /** Endings that turn a cardinal into an ordinal. */
  readonly ordinalEndings: readonly string[];
  /** Vowels that a cardinal may drop before an ordinal ending: "quatrième". */
  readonly droppedVowels: string;
}

interface Clock {
  readonly word: string;
  /** Words that must precede the hour; null when any word may. */
  readonly before: WordSet | null;
  readonly write: (hour: number, minutes: number | null) => string;
}

/** How numbers are written. */
interface NumberStyle {
  /** Phrases for percent. */
  readonly percent: readonly (readonly string[])[];
  readonly percentSign: string;
  readonly units: WordSet;
  /** Currencies with cents. */
  readonly currencies: WordSet;
  readonly cents: WordSet;
  /** Words between the currency and the cents. */
  readonly centsJoints: WordSet;
  /** The word after which cents need no unit: "dodici euro e cinquanta". */
  readonly unnamedCentsJoint: string | null;
  /** "2 millones de euros" */
  readonly unitJoint: string | null;
  /** The word between day and month. */
  readonly dayJoint: string | null;
  /** How the first day of a month is written. */
  readonly firstDay: string;
  readonly rangeJoints: WordSet;
  readonly clock: Clock | null;
  /** Words before a year. */
  readonly yearBefore: WordSet;
  /** "neunzehn achtzig": years are spoken in pairs. */
  readonly yearPairs: boolean;
  readonly plus: string;
}

export interface NumberLanguage extends Lexicon, NumberStyle {}

/** Parts of consecutive values, starting at `first`; "zwei|zwo" are two forms of one part. */
export const partsFrom = (kind: PartKind, first: number, step: number, list: string): [string, Part][] =>
  list
    .trim()
    .split(/\s+/u)
    .flatMap((forms, n) => forms.split('|').map((form): [string, Part] => [form, { kind, value: first + n * step }]));
