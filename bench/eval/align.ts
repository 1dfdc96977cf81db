// Counts the fewest errors between reference words and any reading of a transcript.
import type { Slot } from './normalise.ts';

export interface Errors {
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

// Packs the cost and three counts into one double, exactly: 13 bits each, for up to 8191 words.
const FIELD = 2 ** 13;
const COST = FIELD ** 3;
const SUBSTITUTION = COST + FIELD ** 2;
const DELETION = COST + FIELD;
const INSERTION = COST + 1;

const addWord = (column: Float64Array, reference: readonly string[], word: string): Float64Array => {
  const next = new Float64Array(column.length);
  next[0] = (column[0] ?? 0) + INSERTION;
  for (let index = 0; index < reference.length; index++) {
    next[index + 1] = Math.min(
      (column[index] ?? 0) + (reference[index] === word ? 0 : SUBSTITUTION),
      (column[index + 1] ?? 0) + INSERTION,
      (next[index] ?? 0) + DELETION,
    );
  }
  return next;
};

export const align = (reference: readonly string[], hypothesis: readonly Slot[]): Errors => {
  let column: Float64Array = Float64Array.from({ length: reference.length + 1 }, (_, index) => index * DELETION);
  for (const slot of hypothesis) {
    const ends = slot.map((words) => words.reduce<Float64Array>((at, word) => addWord(at, reference, word), column));
    column = ends.reduce((best, end) => best.map((value, index) => Math.min(value, end[index] ?? value)));
  }
  const total = column.at(-1) ?? 0;
  const field = (power: number) => Math.floor(total / FIELD ** power) % FIELD;
  return { substitutions: field(2), deletions: field(1), insertions: field(0) };
};
