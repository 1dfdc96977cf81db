// The common words of several hypotheses of the same speech, in order, and the passages between them.
import type { RecognisedWord } from '../../recogniser.ts';

/** A position in each hypothesis. */
type Places = readonly number[];

/** The passage between two common words in each hypothesis. The second common word, if any, is at `to`. */
interface Passage {
  readonly from: Places;
  readonly to: Places;
}

/** Words are compared without case and punctuation. */
export const bareWord = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');

/** Where each common word of one to three hypotheses is. */
export const commonWords = (hypotheses: readonly (readonly RecognisedWord[])[]): Places[] =>
  longestCommon(hypotheses.map((words) => words.map(({ text }) => bareWord(text))));

/** `common`: the words that count as common. */
export function* passages(
  hypotheses: readonly (readonly RecognisedWord[])[],
  common = commonWords(hypotheses),
): Generator<Passage> {
  let from: Places = hypotheses.map(() => 0);
  for (const to of [...common, hypotheses.map(({ length }) => length)]) {
    yield { from, to };
    from = to.map((at) => at + 1);
  }
}

/** Above this number of cells, hypotheses are compared two at a time. */
const CELLS_MAX = 4_000_000;

/** A longest common subsequence of one to three sequences. */
const longestCommon = (hypotheses: readonly (readonly string[])[]): Places[] => {
  const [a = [], b, c] = hypotheses;
  if (!b) return a.map((_, at) => [at]);
  if (!c) return inAll(a, b, b).map(([at, other]) => [at!, other!]);
  if ((a.length + 1) * (b.length + 1) * (c.length + 1) <= CELLS_MAX) return inAll(a, b, c);
  // Find the words common to the first two, then search for them in the third.
  const common = inAll(a, b, b);
  const words = common.map(([at]) => a[at!]!);
  return inAll(words, c, c).map(([at, place]) => [...common[at!]!.slice(0, 2), place!]);
};

/** Dynamic programming over three sequences; passing `b` twice compares two. */
const inAll = (a: readonly string[], b: readonly string[], c: readonly string[]): Places[] => {
  const isPair = b === c;
  const depth = isPair ? 1 : c.length + 1;
  const [stepA, stepB] = [(b.length + 1) * depth, depth];
  const most = new Uint16Array((a.length + 1) * stepA);
  const isCommon = (i: number, j: number, k: number) => a[i] === b[j] && (isPair || b[j] === c[k]);
  const inward = isPair ? 0 : 1;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      for (let k = isPair ? 0 : c.length - 1; k >= 0; k--) {
        const at = i * stepA + j * stepB + k;
        most[at] = isCommon(i, j, k)
          ? most[at + stepA + stepB + inward]! + 1
          : Math.max(most[at + stepA]!, most[at + stepB]!, isPair ? 0 : most[at + 1]!);
      }
    }
  }
  const places: Places[] = [];
  let [i, j, k] = [0, 0, 0];
  while (i < a.length && j < b.length && (isPair || k < c.length)) {
    const at = i * stepA + j * stepB + k;
    if (isCommon(i, j, k)) {
      places.push(isPair ? [i, j] : [i, j, k]);
      [i, j, k] = [i + 1, j + 1, k + inward];
    } else if (most[at] === most[at + stepA]) i++;
    else if (most[at] === most[at + stepB]) j++;
    else k++;
  }
  return places;
};

/** Word edit distance. */
export const wordDistance = (a: readonly string[], b: readonly string[]): number => {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, word] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries())
      next.push(Math.min(row[j]! + (word === other ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row.at(-1)!;
};
