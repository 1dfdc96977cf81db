// Reads number parts as values. Returns every reading; the caller takes the longest that ends at a word boundary.
import type { Grammar, Part } from '../number-language.ts';

export interface Reading {
  readonly value: number;
  /** Index of the part after the number. */
  readonly end: number;
}

type Read = (parts: readonly Part[], at: number, grammar: Grammar) => readonly Reading[];

const isDigit = (part: Part | undefined): part is Part => part?.kind === 'digit' && part.value > 0;
const joint = (parts: readonly Part[], at: number): number => (parts[at]?.kind === 'and' ? 1 : 0);

/** French 70 to 99: sixty-ten, four-twenty, four-twenty-ten. */
const byTwenty: Read = (parts, at) => {
  const [first, second] = [parts[at], parts[at + 1]];
  const eighty = first?.value === 4 && second?.value === 20;
  const sixty = first?.value === 60;
  if (!eighty && !sixty) return [];
  const base = eighty ? 80 : 60;
  const next = at + (eighty ? 2 : 1);
  const found: Reading[] = eighty ? [{ value: 80, end: next }] : [];
  const et = sixty && parts[next]?.kind === 'and' && parts[next + 1]?.value === 11 ? 1 : 0;
  const tail = parts[next + et];
  if (isDigit(tail) && eighty) found.push({ value: base + tail.value, end: next + 1 });
  if (tail?.kind === 'teen') {
    found.push({ value: base + tail.value, end: next + et + 1 });
    const unit = parts[next + et + 1];
    if (tail.value === 10 && isDigit(unit) && unit.value >= 7)
      found.push({ value: base + 10 + unit.value, end: next + et + 2 });
  }
  return found;
};

export const readBelow100: Read = (parts, at, grammar) => {
  const part = parts[at];
  if (!part) return [];
  const found: Reading[] = [];
  const next = parts[at + 1];
  if (part.kind === 'digit' || part.kind === 'teen' || part.kind === 'pair') {
    found.push({ value: part.value, end: at + 1 });
    if (grammar.digitFirst && isDigit(part) && next?.kind === 'and' && parts[at + 2]?.kind === 'tens')
      found.push({ value: part.value + parts[at + 2]!.value, end: at + 3 });
    // "dix sept"
    if (grammar.countsByTwenty && part.value === 10 && isDigit(next) && next.value >= 7)
      found.push({ value: 10 + next.value, end: at + 2 });
  }
  if (part.kind === 'tens') {
    found.push({ value: part.value, end: at + 1 });
    const and = joint(parts, at + 1);
    const digit = parts[at + 1 + and];
    const allowed =
      grammar.tensJoint === 'french'
        ? and === 0 || digit?.value === 1
        : grammar.tensJoint === 'always'
          ? and === 1 && part.value >= 20
          : and === 0;
    if (!grammar.digitFirst && isDigit(digit) && allowed)
      found.push({ value: part.value + digit.value, end: at + 2 + and });
  }
  if (grammar.countsByTwenty) found.push(...byTwenty(parts, at, grammar));
  return found;
};

export const readBelow1000: Read = (parts, at, grammar) => {
  const found = [...readBelow100(parts, at, grammar)];
  if (parts[at]?.kind === 'round hundred') found.push({ value: 100, end: at + 1 });
  const heads: Reading[] = [];
  if (parts[at]?.kind === 'hundreds') heads.push({ value: parts[at]!.value, end: at + 1 });
  if (parts[at]?.kind === 'hundred') heads.push({ value: 100, end: at + 1 });
  for (const { value, end } of readBelow100(parts, at, grammar)) {
    if (parts[end]?.kind !== 'hundred' || value === 0 || value > grammar.hundredsHeadMax) continue;
    // Nobody says "twenty hundred".
    if (value < 10 || value % 10 !== 0) heads.push({ value: value * 100, end: end + 1 });
  }
  for (const head of heads) {
    found.push(head);
    const and = grammar.jointAfterHundred ? joint(parts, head.end) : 0;
    for (const tail of readBelow100(parts, head.end + and, grammar))
      if (tail.value > 0) found.push({ value: head.value + tail.value, end: tail.end });
  }
  return found;
};

/** Numbers with the scale word for `size`: a head before it and a tail below `size` after it. */
const scaled =
  (size: number, below: Read): Read =>
  (parts, at, grammar) => {
    const found = [...below(parts, at, grammar)];
    const heads: Reading[] = found
      .filter(({ value, end }) => value > 0 && parts[end]?.kind === 'scale' && parts[end]!.value === size)
      .map(({ value, end }) => ({ value: value * size, end: end + 1 }));
    if (parts[at]?.kind === 'scale' && parts[at]!.value === size && size === 1000)
      heads.push({ value: size, end: at + 1 });
    for (const head of heads) {
      found.push(head);
      const and = grammar.jointAfterScale ? joint(parts, head.end) : 0;
      for (const tail of below(parts, head.end + and, grammar))
        if (tail.value > 0 && tail.value < size) found.push({ value: head.value + tail.value, end: tail.end });
      // "seis mil millones sesenta y cuatro millones"
      if (size === 1e6 && head.value % 1e9 === 0)
        for (const tail of scaled(size, below)(parts, head.end + and, grammar))
          if (tail.value > 0 && tail.value < 1e9) found.push({ value: head.value + tail.value, end: tail.end });
    }
    return found;
  };

const below1e6 = scaled(1e3, readBelow1000);
const below1e9 = scaled(1e6, below1e6);
const below1e12 = scaled(1e9, below1e9);

export const readAll: Read = scaled(1e12, below1e12);
