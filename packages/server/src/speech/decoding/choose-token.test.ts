import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseGreedy, chooseSampled, logSumExp } from './choose-token.ts';

const row = (...values: number[]) => {
  const logits = Float32Array.from(values);
  return { logits, logSum: logSumExp(logits) };
};

test('the greedy choice is the most probable token with its log-probability', () => {
  const choice = chooseGreedy(row(0, Math.log(3), Number.NEGATIVE_INFINITY));
  assert.equal(choice.token, 1);
  assert.ok(Math.abs(choice.logProbability - Math.log(0.75)) < 1e-6);
});

test('the sum of exponentials handles large logits and fully suppressed rows', () => {
  assert.ok(Math.abs(logSumExp(Float32Array.of(1000, 1000)) - (1000 + Math.log(2))) < 1e-3);
  assert.equal(logSumExp(new Float32Array(4).fill(Number.NEGATIVE_INFINITY)), Number.NEGATIVE_INFINITY);
});

test('sampling follows the distribution and never draws a suppressed token', () => {
  const logits = row(Math.log(1), Number.NEGATIVE_INFINITY, Math.log(3));
  assert.equal(chooseSampled(logits, 1, 0.2).token, 0);
  assert.equal(chooseSampled(logits, 1, 0.3).token, 2);
  assert.equal(chooseSampled(logits, 1, 1).token, 2);
  // A low temperature leaves only the most probable one.
  assert.equal(chooseSampled(logits, 0.05, 0.01).token, 2);
});
