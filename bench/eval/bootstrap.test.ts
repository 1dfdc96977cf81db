import assert from 'node:assert/strict';
import test from 'node:test';
import { compareErrors, errorInterval } from './bootstrap.ts';

const speakers = (errors: readonly number[], words = 50) => errors.map((each) => ({ errors: each, words }));
const many = (count: number, errors: (nth: number) => number) =>
  speakers(Array.from({ length: count }, (_, nth) => errors(nth)));

test('the interval contains the rate, is reproducible, and narrows with more speakers', () => {
  const few = errorInterval(many(8, (nth) => nth));
  const more = errorInterval(many(80, (nth) => nth % 8));
  assert.deepEqual(errorInterval(many(8, (nth) => nth)), few);
  for (const { low, high } of [few, more]) assert.ok(low < 7 && high > 7, `${low} ${high}`);
  assert.ok(more.high - more.low < (few.high - few.low) / 2);
});

test('a rate without spread has an interval of zero width, and without speakers the rate is zero', () => {
  assert.deepEqual(errorInterval(speakers([5, 5, 5])), { low: 10, high: 10 });
  assert.deepEqual(errorInterval([]), { low: 0, high: 0 });
});

test('a small lead on every speaker is significant, although speakers differ more than systems', () => {
  const hard = (nth: number) => 2 * (nth % 10);
  const { difference, low, high, chance } = compareErrors(
    many(40, hard),
    many(40, (nth) => hard(nth) + 1),
  );
  assert.ok(Math.abs(difference + 2) < 1e-9);
  assert.ok(low <= -2 && high < 0);
  assert.equal(chance, 0);
});

test('a lead on a single speaker is not significant', () => {
  const ours = many(20, () => 3);
  const { difference, high, chance } = compareErrors(ours, ours.with(0, { errors: 9, words: 50 }));
  assert.ok(difference < 0 && high >= 0);
  assert.ok(chance > 0.05);
});

test('a system compared with itself shows no difference', () => {
  const ours = many(10, (nth) => nth);
  assert.deepEqual(compareErrors(ours, ours), { difference: 0, low: 0, high: 0, chance: 1 });
});
