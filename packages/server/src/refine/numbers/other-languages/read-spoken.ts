// Reads spoken numbers in languages other than English: always the longest number, never a part of a word.
import type { Cursor } from '../../cursor.ts';
import type { Lexicon, Part } from '../number-language.ts';
import { readAll, readBelow1000 } from './grammar.ts';
import { partsOf } from './split-word.ts';

export interface SpokenNumber {
  readonly value: number;
  /** Number of words. */
  readonly length: number;
  /** The number in digits; a round million keeps its word. */
  readonly text: string;
  /** Contains "and" as a separate word, so it might be two numbers. */
  readonly hasSeparateAnd: boolean;
}

const WORDS_MAX = 24;

export interface PartRow {
  readonly parts: Part[];
  /** For each part, the index of its word if it is the last part of that word, else null. */
  readonly wordAt: (number | null)[];
}

export const rowFrom = (at: Cursor, n: number, lexicon: Lexicon): PartRow => {
  const row: PartRow = { parts: [], wordAt: [] };
  for (let word = n; word < n + WORDS_MAX; word++) {
    if (word > n && !at.joined(word)) break;
    const parts = at.ahead(word) ? partsOf(at.key(word), lexicon) : null;
    if (!parts) break;
    for (const [index, part] of parts.entries()) {
      row.parts.push(part);
      row.wordAt.push(index === parts.length - 1 ? word : null);
    }
  }
  return row;
};

const longest = (row: PartRow, read: typeof readAll, lexicon: Lexicon): { value: number; word: number } | null => {
  let best: { value: number; word: number } | null = null;
  if (row.parts.length === 0 || row.parts[0]!.kind === 'and') return null;
  for (const { value, end } of read(row.parts, 0, lexicon.grammar)) {
    const word = row.wordAt[end - 1];
    if (word !== null && word !== undefined && (!best || word > best.word)) best = { value, word };
  }
  return best;
};

/** Round millions keep their word: "2 Millionen". */
const written = (at: Cursor, n: number, value: number, length: number, lexicon: Lexicon): string => {
  const last = at.ahead(n + length - 1)!;
  const parts = partsOf(last.key, lexicon)!;
  const scale = parts.length === 1 && parts[0]!.kind === 'scale' ? parts[0]!.value : 0;
  const count = value / scale;
  return scale >= 1e6 && length > 1 && Number.isInteger(count) && count < 1e6 ? `${count} ${last.core}` : String(value);
};

/** Reads the longest number that starts at word n. An article alone is not a number. */
export const readSpoken = (at: Cursor, n: number, lexicon: Lexicon): SpokenNumber | null => {
  if (!partsOf(at.key(n), lexicon)) return null;
  const best = longest(rowFrom(at, n, lexicon), readAll, lexicon);
  if (!best) return null;
  const length = best.word - n + 1;
  if (length === 1 && lexicon.articles.has(at.key(n))) return null;
  const hasSeparateAnd = at.keysOf(n, n + length).some((key) => lexicon.parts.get(key)?.kind === 'and');
  return { value: best.value, length, text: written(at, n, best.value, length, lexicon), hasSeparateAnd };
};

/** A single spoken digit, as in a telephone number. */
export const spokenDigit = (key: string, lexicon: Lexicon): string | null => {
  if (/^\d$/u.test(key)) return key;
  const part = lexicon.parts.get(key);
  if (part?.kind === 'digit') return String(part.value);
  const inRun = lexicon.digitsInRuns.get(key);
  return inRun === undefined ? null : String(inRun);
};

/** Reads the digits after the decimal mark, spoken one by one or as a number. */
const readFraction = (at: Cursor, n: number, lexicon: Lexicon): { digits: string; length: number } | null => {
  let zeros = 0;
  while (spokenDigit(at.key(n + zeros), lexicon) === '0' && at.joined(n + zeros + 1)) zeros += 1;
  const from = n + zeros;
  let singles = '';
  while (singles.length < WORDS_MAX && (singles === '' || at.joined(from + singles.length))) {
    const digit = lexicon.parts.get(at.key(from + singles.length));
    if (digit?.kind !== 'digit') break;
    singles += digit.value;
  }
  const number = longest(rowFrom(at, from, lexicon), readBelow1000, lexicon);
  const length = number ? number.word - from + 1 : 0;
  if (number && length >= singles.length && number.value > 9)
    return { digits: '0'.repeat(zeros) + number.value, length: zeros + length };
  if (singles !== '') return { digits: '0'.repeat(zeros) + singles, length: zeros + singles.length };
  return zeros > 0 ? { digits: '0'.repeat(zeros), length: zeros } : null;
};

/** "drei Komma fünf", "eins Komma zwei Millionen". */
const readDecimal = (at: Cursor, n: number, whole: SpokenNumber, lexicon: Lexicon): SpokenNumber | null => {
  const place = n + whole.length;
  const mark = lexicon.decimalMarks.get(at.joinedKey(place));
  if (mark === undefined || !at.joined(place + 1) || whole.text.includes(' ')) return null;
  const fraction = readFraction(at, place + 1, lexicon);
  if (!fraction) return null;
  let length = whole.length + 1 + fraction.length;
  let text = `${whole.value}${mark}${fraction.digits}`;
  let value = Number(`${whole.value}.${fraction.digits}`);
  const scale = lexicon.parts.get(at.joinedKey(n + length));
  if (scale?.kind === 'scale') {
    text += ` ${at.ahead(n + length)!.core}`;
    value = Math.round(value * scale.value * 1e6) / 1e6;
    length += 1;
  }
  return { value, length, text, hasSeparateAnd: whole.hasSeparateAnd };
};

export const ARTICLE_ONE: SpokenNumber = { value: 1, length: 1, text: '1', hasSeparateAnd: false };

/** Reads a number with its decimals, if any. */
export const readSpokenAmount = (at: Cursor, n: number, lexicon: Lexicon): SpokenNumber | null => {
  const isOne = lexicon.articles.has(at.key(n)) && lexicon.decimalMarks.has(at.key(n + 1));
  const whole = isOne ? ARTICLE_ONE : readSpoken(at, n, lexicon);
  if (!whole) return null;
  return readDecimal(at, n, whole, lexicon) ?? (isOne ? null : whole);
};

const wordValue = (word: string, lexicon: Lexicon): number | null => {
  const parts = partsOf(word, lexicon);
  return (parts && readAll(parts, 0, lexicon.grammar).find(({ end }) => end === parts.length)?.value) ?? null;
};

/** "dritten", "einundzwanzigsten", "tweede", "troisième". */
export const spokenOrdinal = (key: string, lexicon: Lexicon): number | null => {
  const known = lexicon.ordinals.get(key);
  if (known !== undefined) return known;
  for (const ending of lexicon.ordinalEndings) {
    if (!key.endsWith(ending) || key.length === ending.length) continue;
    const stem = key.slice(0, -ending.length);
    for (const vowel of ['', ...lexicon.droppedVowels]) {
      const value = wordValue(stem + vowel, lexicon);
      if (value !== null && value > 0) return value;
    }
  }
  // "hundertdritte": a round hundred before an irregular ordinal.
  for (const [word, value] of lexicon.compound ? lexicon.ordinals : []) {
    if (!key.endsWith(word)) continue;
    const head = wordValue(key.slice(0, -word.length), lexicon);
    if (head !== null && head >= 100 && head % 100 === 0) return head + value;
  }
  return null;
};
