// Filters logits: suppressed tokens are excluded, and timestamps follow rules of order and pairing.
import { argMax, logSumExp } from '../decoding/choose-token.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

export interface TimestampRules {
  /** Latest first timestamp, in steps of 0.02 s. */
  readonly firstMax: number;
  /** Latest timestamp: the end of the audio. */
  readonly last: number;
}

/** Sets excluded tokens to −∞, in place. `decoded`: the tokens after the prompt. */
export const filterLogits = (
  logits: Float32Array,
  decoded: readonly number[],
  tokenizer: WhisperTokenizer,
  timestamps: TimestampRules | null,
): void => {
  for (const token of tokenizer.suppressed) logits[token] = Number.NEGATIVE_INFINITY;
  logits[tokenizer.noTimestamps] = Number.NEGATIVE_INFINITY;
  // Language and task tokens are between the end of text and the timestamps.
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
    // Timestamps increase; a segment is not empty, but the next may start where the last ended.
    forbidRange(firstTimestamp, lastIsTimestamp && !beforeIsTimestamp ? latest : latest + 1);
  }
  // When timestamps together are more probable than any word, a timestamp is required.
  const anyTimestamp = logSumExp(logits, firstTimestamp, size);
  if (anyTimestamp > logits[argMax(logits, 0, firstTimestamp)]!) forbidRange(0, firstTimestamp);
};
