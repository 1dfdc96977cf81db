import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterLogits } from './logit-filters.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

// Words 0–3, end of text 4, special tokens 5–8, timestamps 9–19.
const tokenizer = {
  size: 20,
  endOfText: 4,
  noTimestamps: 8,
  firstTimestamp: 9,
  suppressed: [2],
  suppressedAtStart: [0, 4],
} as unknown as WhisperTokenizer;
const rules = { firstMax: 2, last: 8 };

const allowed = (said: number[], timestamps: typeof rules | null, logits = new Float32Array(20).fill(1)): number[] => {
  filterLogits(logits, said, tokenizer, timestamps);
  return [...logits.keys()].filter((token) => logits[token] !== Number.NEGATIVE_INFINITY);
};
/** Words so probable that the sum of the timestamps does not exceed them. */
const wordy = () => Float32Array.from({ length: 20 }, (_, token) => (token < 5 ? 9 : 0));

test('without timestamps, only words and the end are allowed, some not at the start', () => {
  assert.deepEqual(allowed([], null), [1, 3]);
  assert.deepEqual(allowed([1], null), [0, 1, 3, 4]);
});

test('with timestamps, the first token is one near the start', () => {
  assert.deepEqual(allowed([], rules), [9, 10, 11]);
});

test('after an opening timestamp comes a word', () => {
  assert.deepEqual(allowed([10], rules, wordy()), [0, 1, 3, 4]);
});

test('timestamps increase and do not exceed the audio', () => {
  assert.deepEqual(allowed([10, 1], rules, wordy()), [0, 1, 3, 4, 11, 12, 13, 14, 15, 16, 17]);
});

test('after a closing timestamp comes the end, or an opening one, possibly equal', () => {
  assert.deepEqual(allowed([10, 1, 14], rules, wordy()), [4, 14, 15, 16, 17]);
});

test('when timestamps together are more probable than every word, one is required', () => {
  assert.deepEqual(allowed([10, 1], rules), [11, 12, 13, 14, 15, 16, 17]);
});
