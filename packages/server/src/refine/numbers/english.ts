// Reads English numbers, spoken or written, from a run of words.
import type { Cursor } from '../rewrite.ts';

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);
const ORDINAL_FORMS = new Map([
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fourth', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['seventh', 7],
  ['eighth', 8],
  ['ninth', 9],
  ['tenth', 10],
  ['eleventh', 11],
  ['twelfth', 12],
  ['thirteenth', 13],
  ['fourteenth', 14],
  ['fifteenth', 15],
  ['sixteenth', 16],
  ['seventeenth', 17],
  ['eighteenth', 18],
  ['nineteenth', 19],
  ['twentieth', 20],
  ['thirtieth', 30],
  ['fortieth', 40],
  ['fiftieth', 50],
  ['sixtieth', 60],
  ['seventieth', 70],
  ['eightieth', 80],
  ['ninetieth', 90],
  ['hundredth', 100],
  ['thousandth', 1000],
  ['millionth', 1e6],
]);

const UNIT = new Map(ONES.map((word, value) => [word, value]));
const TEN = new Map(TENS.map((word, n) => [word, n * 10] as const).filter(([word]) => word !== '_'));

/** Hyphenated forms as single words: "twenty-five", "twenty-first". */
const HYPHENATED = new Map<string, number>();
const HYPHENATED_ORDINAL = new Map<string, number>();
for (const [ten, value] of TEN) {
  for (let one = 1; one <= 9; one++) HYPHENATED.set(`${ten}-${ONES[one]}`, value + one);
  for (const [word, one] of ORDINAL_FORMS) if (one < 10) HYPHENATED_ORDINAL.set(`${ten}-${word}`, value + one);
}

export const digitOf = (key: string): string | null => {
  if (key === 'oh' || key === 'o') return '0';
  if (/^\d$/u.test(key)) return key;
  const value = UNIT.get(key);
  return value !== undefined && value < 10 ? String(value) : null;
};

export const isCardinalWord = (key: string): boolean =>
  UNIT.has(key) || TEN.has(key) || HYPHENATED.has(key) || SCALES.has(key) || key === 'hundred';
export const isOrdinalWord = (key: string): boolean => ORDINAL_FORMS.has(key) || HYPHENATED_ORDINAL.has(key);
export const isNumberKey = (key: string): boolean =>
  isCardinalWord(key) || isOrdinalWord(key) || /^[$€£]?\d[\d:.,]*(?:%|st|nd|rd|th|am|pm)?$/u.test(key);

const MONTHS = new Set(
  'january february march april may june july august september october november december'.split(' '),
);
/** Whether any written form may start at this word: most words are turned away here. */
export const beginsNumber = (key: string): boolean =>
  isCardinalWord(key) ||
  isOrdinalWord(key) ||
  MONTHS.has(key) ||
  key === 'oh' ||
  key === 'plus' ||
  key === 'double' ||
  key === 'triple' ||
  /^[a-z]$/u.test(key) ||
  /^[\d$€£]/u.test(key);

export interface Reading {
  readonly value: number;
  /** How many words it takes. */
  readonly length: number;
  readonly kind: 'cardinal' | 'ordinal';
  /** False when it was written in digits already. */
  readonly spelled: boolean;
  /** "a hundred": round and vague, better left as said. */
  readonly vague: boolean;
}

interface Part {
  value: number;
  length: number;
  kind: 'cardinal' | 'ordinal';
}

/** A word may go on into the next only when no mark stands between them. */
const goesOn = (at: Cursor, n: number): boolean => {
  const token = at.ahead(n);
  const next = at.ahead(n + 1);
  return (
    token !== undefined && token.trail === '' && next !== undefined && next.lead === '' && !next.gap.includes('\n')
  );
};

const under100 = (at: Cursor, n: number): Part | null => {
  const key = at.key(n);
  const hyphenated = HYPHENATED.get(key) ?? HYPHENATED_ORDINAL.get(key);
  if (hyphenated !== undefined)
    return { value: hyphenated, length: 1, kind: HYPHENATED.has(key) ? 'cardinal' : 'ordinal' };
  const ten = TEN.get(key);
  if (ten !== undefined) {
    const next = goesOn(at, n) ? at.key(n + 1) : '';
    const one = UNIT.get(next);
    if (one !== undefined && one >= 1 && one <= 9) return { value: ten + one, length: 2, kind: 'cardinal' };
    const last = ORDINAL_FORMS.get(next);
    if (last !== undefined && last < 10 && next !== 'second') return { value: ten + last, length: 2, kind: 'ordinal' };
    // "twenty second" is a date or a rank, "twenty seconds" a time.
    if (next === 'second') return { value: ten + 2, length: 2, kind: 'ordinal' };
    return { value: ten, length: 1, kind: 'cardinal' };
  }
  const unit = UNIT.get(key);
  if (unit !== undefined) return { value: unit, length: 1, kind: 'cardinal' };
  const ordinal = ORDINAL_FORMS.get(key);
  return ordinal !== undefined && ordinal < 100 ? { value: ordinal, length: 1, kind: 'ordinal' } : null;
};

/** The part after "hundred" or a scale, with or without "and". */
const rest = (at: Cursor, n: number, read: (at: Cursor, n: number) => Part | null): Part | null => {
  if (!goesOn(at, n - 1)) return null;
  if (at.key(n) === 'and' && goesOn(at, n)) {
    const part = read(at, n + 1);
    return part ? { ...part, length: part.length + 1 } : null;
  }
  return read(at, n);
};

const under1000 = (at: Cursor, n: number): Part | null => {
  const head =
    at.key(n) === 'a' && at.key(n + 1) === 'hundred'
      ? { value: 1, length: 1, kind: 'cardinal' as const }
      : under100(at, n);
  if (!head || head.kind === 'ordinal' || head.value === 0) return head;
  const hundred = n + head.length;
  if (!goesOn(at, hundred - 1)) return head;
  if (at.key(hundred) === 'hundredth') return { value: head.value * 100, length: head.length + 1, kind: 'ordinal' };
  if (at.key(hundred) !== 'hundred') return head;
  const tail = rest(at, hundred + 1, under100);
  const value = head.value * 100 + (tail?.value ?? 0);
  if (tail && tail.value === 0) return { value: head.value * 100, length: head.length + 1, kind: 'cardinal' };
  return { value, length: head.length + 1 + (tail?.length ?? 0), kind: tail?.kind ?? 'cardinal' };
};

const DIGITS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+(?:\.\d+)?$/u;

/** The longest number from word n on: words, digits, or digits with a scale ("2.5 million"). */
export const readNumber = (at: Cursor, n = 0): Reading | null => {
  const written = at.key(n);
  if (DIGITS.test(written))
    return { value: Number(written.replaceAll(',', '')), length: 1, kind: 'cardinal', spelled: false, vague: false };
  if (/^\d+(?:st|nd|rd|th)$/u.test(written))
    return { value: Number.parseInt(written, 10), length: 1, kind: 'ordinal', spelled: false, vague: false };
  const article = written === 'a' && (at.key(n + 1) === 'hundred' || SCALES.has(at.key(n + 1)));
  let total = 0;
  let position = n;
  let below = Number.POSITIVE_INFINITY;
  let kind: 'cardinal' | 'ordinal' = 'cardinal';
  while (kind === 'cardinal') {
    const first = position === n;
    const part =
      first && article && at.key(n + 1) !== 'hundred'
        ? { value: 1, length: 1, kind }
        : first
          ? under1000(at, position)
          : rest(at, position, under1000);
    if (!part) break;
    const after = position + part.length;
    const scale = part.kind === 'cardinal' && goesOn(at, after - 1) ? SCALES.get(at.key(after)) : undefined;
    if (scale !== undefined && scale < below && part.value > 0) {
      total += part.value * scale;
      below = scale;
      position = after + 1;
      continue;
    }
    // A second bare part is a new number ("twenty thirty"), not the rest of this one.
    if (!first && part.value >= below) break;
    if (!first && part.value === 0) break;
    total += part.value;
    kind = part.kind;
    position = after;
    break;
  }
  if (position === n) return null;
  const length = position - n;
  return { value: total, length, kind, spelled: true, vague: article && length === 2 };
};
