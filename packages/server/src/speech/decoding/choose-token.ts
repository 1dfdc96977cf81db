// Chooses a token from a row of logits, with its log-probability.

export interface Choice {
  readonly token: number;
  readonly logProbability: number;
}

/** Terms this far below the largest change a sum of 50 000 terms by less than two millionths. */
const NEGLIGIBLE = 24;

export const argMax = (logits: Float32Array, from = 0, to = logits.length): number => {
  let best = from;
  let top = logits[from]!;
  for (let i = from + 1; i < to; i++) {
    const value = logits[i]!;
    if (value > top) {
      top = value;
      best = i;
    }
  }
  return best;
};

export const logSumExp = (logits: Float32Array, from = 0, to = logits.length): number => {
  const top = logits[argMax(logits, from, to)]!;
  if (top === Number.NEGATIVE_INFINITY) return top;
  const least = top - NEGLIGIBLE;
  let sum = 0;
  for (let i = from; i < to; i++) {
    const value = logits[i]!;
    if (value > least) sum += Math.exp(value - top);
  }
  return top + Math.log(sum);
};

/** The logits of one position, and their log-sum-exp before suppression. */
export interface LogitRow {
  readonly logits: Float32Array;
  readonly logSum: number;
}

export const logProbabilityOf = ({ logits, logSum }: LogitRow, token: number): number => logits[token]! - logSum;

export const chooseGreedy = (row: LogitRow): Choice => {
  const token = argMax(row.logits);
  return { token, logProbability: logProbabilityOf(row, token) };
};

/** Samples at a temperature; the reported log-probability ignores the temperature. `random` is in 0..1. */
export const chooseSampled = (row: LogitRow, temperature: number, random: number): Choice => {
  const { logits } = row;
  const top = logits[argMax(logits)]!;
  let total = 0;
  for (const value of logits) total += Math.exp((value - top) / temperature);
  let left = random * total;
  let token = 0;
  for (let i = 0; i < logits.length; i++) {
    const weight = Math.exp((logits[i]! - top) / temperature);
    if (weight === 0) continue;
    token = i;
    left -= weight;
    if (left <= 0) break;
  }
  return { token, logProbability: logProbabilityOf(row, token) };
};
