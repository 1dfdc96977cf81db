// Which tokens may come next: suppressed ones may not, and timestamps follow rules of order and pairing.
import { argMax, logSumExp } from '../decoding/choose-token.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

export interface TimestampRules {
  /** Timestamps may not start later than this, in steps of 0.02 s. */
  readonly firstMax: number;
  /** Nor lie after the end of the audio. */
  readonly last: number;
}

/** Puts forbidden tokens at −∞, in place. `decoded` are the tokens after the prompt. */
export const filterLogits = (
  logits: Float32Array,
  decoded: readonly number[],
  tokenizer: WhisperTokenizer,
  timestamps: TimestampRules | null,
): void => {
  for (const token of tokenizer.suppressed) logits[token] = Number.NEGATIVE_INFINITY;
  logits[tokenizer.noTimestamps] = Number.NEGATIVE_INFINITY;
  // Language and task tokens lie between the end of text and the timestamps.
  logits.fill(Number.NEGATIVE_INFINITY, tokenizer.endOfText + 1, tokenizer.firstTimestamp);
  if (decoded.length === 0) for (const token of tokenizer.suppressedAtStart) logits[token] = Number.NEGATIVE_INFINITY;
  if (timestamps) orderTimestamps(logits, decoded, tokenizer, timestamps);
  else logits.fill(Number.NEGATIVE_INFINITY, tokenizer.firstTimestamp);
};

const orderTimestamps = (
  logits: Float32Array,
  decoded: readonly number[],
  { endOfText, firstTimestamp, size }: WhisperTokenizer,
  rules: TimestampRules,
): void => {
  const forbidRange = (from: number, to: number) => logits.fill(Number.NEGATIVE_INFINITY, from, to);
  const isTimestamp = (token: number | undefined) => token !== undefined && token >= firstTimestamp;
  forbidRange(Math.min(size, firstTimestamp + rules.last + 1), size);
  if (decoded.length === 0) {
    // The first token is a timestamp near the start.
    forbidRange(0, firstTimestamp);
    forbidRange(Math.min(size, firstTimestamp + rules.firstMax + 1), size);
    return;
  }
  const lastIsTimestamp = isTimestamp(decoded.at(-1));
  const beforeIsTimestamp = decoded.length < 2 || isTimestamp(decoded.at(-2));
  if (lastIsTimestamp && beforeIsTimestamp) forbidRange(firstTimestamp, size);
  // A closing timestamp is followed by an opening one or by the end.
  else if (lastIsTimestamp) forbidRange(0, endOfText);
  const latest = decoded.findLast(isTimestamp);
  if (latest !== undefined) {
    // Time runs forward; a segment is not empty, but the next may open where the last closed.
    forbidRange(firstTimestamp, lastIsTimestamp && !beforeIsTimestamp ? latest : latest + 1);
  }
  // When a timestamp at all is likelier than any one word, it is time for a timestamp.
  const anyTimestamp = logSumExp(logits, firstTimestamp, size);
  if (anyTimestamp > logits[argMax(logits, 0, firstTimestamp)]!) forbidRange(0, firstTimestamp);
};
