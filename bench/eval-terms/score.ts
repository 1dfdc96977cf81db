// Word errors split by a list: B-WER counts the words of the list, U-WER all other words.
import { plainWords, type Slot, slotsOf } from '../eval/normalise.ts';

export interface TermErrors {
  /** Reference words that are rare, that is in the list, and the errors on them. */
  biasedWords: number;
  biasedErrors: number;
  otherWords: number;
  otherErrors: number;
}

export const noErrors = (): TermErrors => ({ biasedWords: 0, biasedErrors: 0, otherWords: 0, otherErrors: 0 });

/** One step of an alignment. A null reference is an insertion, a null hypothesis a deletion. */
export type Step = readonly [reference: string | null, hypothesis: string | null];

interface Path {
  readonly cost: number;
  readonly steps: { readonly step: Step; readonly before: Path['steps'] } | null;
}

const follow = (path: Path, step: Step): Path => ({
  cost: path.cost + (step[0] === step[1] ? 0 : 1),
  steps: { step, before: path.steps },
});

const cheapest = (...paths: readonly Path[]): Path =>
  paths.reduce((best, path) => (path.cost < best.cost ? path : best));

const addWord = (column: readonly Path[], reference: readonly string[], word: string): readonly Path[] => {
  const next = [follow(column[0]!, [null, word])];
  for (const [index, wanted] of reference.entries())
    next.push(
      cheapest(
        follow(column[index]!, [wanted, word]),
        follow(column[index + 1]!, [null, word]),
        follow(next[index]!, [wanted, null]),
      ),
    );
  return next;
};

/** The alignment with the fewest errors, over all readings of the transcript. */
export const alignmentOf = (reference: readonly string[], hypothesis: readonly Slot[]): Step[] => {
  const first: Path[] = [{ cost: 0, steps: null }];
  for (const word of reference) first.push(follow(first.at(-1)!, [word, null]));
  let column: readonly Path[] = first;
  for (const slot of hypothesis) {
    const ends = slot.map((words) => words.reduce((at, word) => addWord(at, reference, word), column));
    column = ends.reduce((best, end) => best.map((path, index) => cheapest(path, end[index]!)));
  }
  const steps: Step[] = [];
  for (let at = column.at(-1)!.steps; at; at = at.before) steps.unshift(at.step);
  return steps;
};

/** The terms that are single words, in normalised form. */
const wordsOf = (terms: readonly string[]): ReadonlySet<string> =>
  new Set(terms.map((term) => plainWords(term, 'en')).flatMap((words) => (words.length === 1 ? words : [])));

/** Adds the errors of one transcript; returns the wrong steps. */
export const addErrors = (
  errors: TermErrors,
  { text, rare, list }: { readonly text: string; readonly rare: readonly string[]; readonly list: readonly string[] },
  transcript: string,
): Step[] => {
  const [biased, listed] = [wordsOf(rare), wordsOf(list)];
  const steps = alignmentOf(plainWords(text, 'en'), slotsOf(transcript, 'en'));
  for (const [wanted, heard] of steps) {
    const isBiased = wanted === null ? listed.has(heard!) : biased.has(wanted);
    if (wanted !== null) errors[isBiased ? 'biasedWords' : 'otherWords'] += 1;
    if (wanted !== heard) errors[isBiased ? 'biasedErrors' : 'otherErrors'] += 1;
  }
  return steps.filter(([wanted, heard]) => wanted !== heard);
};
