// Reads English numbers in words or digits.
import type { Cursor } from '../../cursor.ts';
import { english } from '../../languages/english.ts';
import { HYPHENATED, HYPHENATED_ORDINALS, ONES, ORDINALS, REPEATED_DIGITS, SCALES, TENS } from './lexicon.ts';

export const digitOf = (key: string): string | null => {
  if (key === 'oh' || key === 'o') return '0';
  if (/^\d$/u.test(key)) return key;
  const value = ONES.get(key);
  return value !== undefined && value < 10 ? String(value) : null;
};

export const isCardinalWord = (key: string): boolean =>
  ONES.has(key) || TENS.has(key) || HYPHENATED.has(key) || SCALES.has(key) || key === 'hundred';
const isOrdinalWord = (key: string): boolean => ORDINALS.has(key) || HYPHENATED_ORDINALS.has(key);
export const isNumberKey = (key: string): boolean =>
  isCardinalWord(key) || isOrdinalWord(key) || /^[$€£]?\d[\d:.,]*(?:%|st|nd|rd|th|am|pm)?$/u.test(key);

/** Whether any number rule may start at this word: a fast check that rules out most words. */
export const mayStartNumber = (key: string): boolean =>
  isCardinalWord(key) ||
  isOrdinalWord(key) ||
  english.months.has(key) ||
  key === 'oh' ||
  key === 'plus' ||
  REPEATED_DIGITS.has(key) ||
  /^[a-z]$/u.test(key) ||
  /^[\d$€£]/u.test(key);

export interface Reading {
  readonly value: number;
  /** Number of words. */
  readonly length: number;
  readonly kind: 'cardinal' | 'ordinal';
  /** False when it was already in digits. */
  readonly spelled: boolean;
  /** "a hundred": approximate, so it stays in words. */
  readonly vague: boolean;
}

type Part = Pick<Reading, 'value' | 'length' | 'kind'>;

const below100 = (at: Cursor, n: number): Part | null => {
  const key = at.key(n);
  const hyphenated = HYPHENATED.get(key);
  if (hyphenated !== undefined) return { value: hyphenated, length: 1, kind: 'cardinal' };
  const hyphenatedOrdinal = HYPHENATED_ORDINALS.get(key);
  if (hyphenatedOrdinal !== undefined) return { value: hyphenatedOrdinal, length: 1, kind: 'ordinal' };
  const ten = TENS.get(key);
  if (ten !== undefined) {
    const next = at.joinedKey(n + 1);
    const one = ONES.get(next);
    if (one !== undefined && one >= 1 && one <= 9) return { value: ten + one, length: 2, kind: 'cardinal' };
    const last = ORDINALS.get(next);
    if (last !== undefined && last < 10) return { value: ten + last, length: 2, kind: 'ordinal' };
    return { value: ten, length: 1, kind: 'cardinal' };
  }
  const one = ONES.get(key);
  if (one !== undefined) return { value: one, length: 1, kind: 'cardinal' };
  const ordinal = ORDINALS.get(key);
  return ordinal !== undefined && ordinal < 100 ? { value: ordinal, length: 1, kind: 'ordinal' } : null;
};

/** The part after "hundred" or a scale, with or without "and". */
const tailOf = (at: Cursor, n: number, read: (at: Cursor, n: number) => Part | null): Part | null => {
  if (!at.joined(n)) return null;
  if (at.key(n) === 'and' && at.joined(n + 1)) {
    const part = read(at, n + 1);
    return part ? { ...part, length: part.length + 1 } : null;
  }
  return read(at, n);
};

const below1000 = (at: Cursor, n: number): Part | null => {
  const head: Part | null =
    at.key(n) === 'a' && at.key(n + 1) === 'hundred' ? { value: 1, length: 1, kind: 'cardinal' } : below100(at, n);
  if (!head || head.kind === 'ordinal' || head.value === 0) return head;
  const next = at.joinedKey(n + head.length);
  if (next === 'hundredth') return { value: head.value * 100, length: head.length + 1, kind: 'ordinal' };
  if (next !== 'hundred') return head;
  const tail = tailOf(at, n + head.length + 1, below100);
  if (!tail || tail.value === 0) return { value: head.value * 100, length: head.length + 1, kind: 'cardinal' };
  return { value: head.value * 100 + tail.value, length: head.length + 1 + tail.length, kind: tail.kind };
};

const DIGITS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+(?:\.\d+)?$/u;

/** Reads the longest number that starts at word n, in words or digits. */
export const readNumber = (at: Cursor, n = 0): Reading | null => {
  const written = at.key(n);
  if (DIGITS.test(written))
    return { value: Number(written.replaceAll(',', '')), length: 1, kind: 'cardinal', spelled: false, vague: false };
  if (/^\d+(?:st|nd|rd|th)$/u.test(written))
    return { value: Number.parseInt(written, 10), length: 1, kind: 'ordinal', spelled: false, vague: false };
  const hasArticle = written === 'a' && (at.key(n + 1) === 'hundred' || SCALES.has(at.key(n + 1)));
  let total = 0;
  let position = n;
  let below = Number.POSITIVE_INFINITY;
  let kind: 'cardinal' | 'ordinal' = 'cardinal';
  while (kind === 'cardinal') {
    const isFirst = position === n;
    const part: Part | null =
      isFirst && hasArticle && at.key(n + 1) !== 'hundred'
        ? { value: 1, length: 1, kind }
        : isFirst
          ? below1000(at, position)
          : tailOf(at, position, below1000);
    if (!part) break;
    const after = position + part.length;
    const scale = part.kind === 'cardinal' ? SCALES.get(at.joinedKey(after)) : undefined;
    if (scale !== undefined && scale < below && part.value > 0) {
      total += part.value * scale;
      below = scale;
      position = after + 1;
      continue;
    }
    // "two thousand fifteen hundred": a part too large to follow the last scale starts another number.
    if (!isFirst && (part.value >= below || part.value === 0)) break;
    total += part.value;
    kind = part.kind;
    position = after;
    break;
  }
  if (position === n) return null;
  const length = position - n;
  return { value: total, length, kind, spelled: true, vague: hasArticle && length === 2 };
};

/** "one oh two point five": a whole number whose middle digit is "oh". */
const readWithOh = (at: Cursor, n: number): { value: number; length: number } | null => {
  const [hundreds, ones] = [digitOf(at.key(n)), digitOf(at.key(n + 2))];
  const isSplit =
    hundreds && ones && at.key(n + 1) === 'oh' && at.joined(n + 1) && at.joined(n + 2) && at.key(n + 3) === 'point';
  return isSplit ? { value: Number(`${hundreds}0${ones}`), length: 3 } : null;
};

const readWhole = (at: Cursor, n: number): { value: number; length: number } | null => {
  const number = readNumber(at, n);
  return number?.kind === 'cardinal' && !number.vague ? number : null;
};

/** "two point five", "two point twenty five": digits one by one, or a number from 10 to 99. */
export const readDecimal = (at: Cursor, n: number): { text: string; length: number; value: number } | null => {
  const whole = readWithOh(at, n) ?? readWhole(at, n);
  if (!whole || at.joinedKey(n + whole.length) !== 'point' || !at.joined(n + whole.length + 1)) return null;
  let length = whole.length + 1;
  let digits = '';
  while (digits === '' || at.joined(n + length)) {
    const digit = digitOf(at.key(n + length));
    if (digit === null) break;
    digits += digit;
    length += 1;
  }
  if (digits === '') {
    const tail = readNumber(at, n + length);
    if (tail?.kind !== 'cardinal' || tail.value < 10 || tail.value > 99 || !tail.spelled) return null;
    digits = String(tail.value);
    length += tail.length;
  }
  const text = `${whole.value}.${digits}`;
  return { text, length, value: Number(text) };
};
