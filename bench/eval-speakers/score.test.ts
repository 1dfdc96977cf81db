import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestAssignment } from './assignment.ts';
import { parseRttm } from './rttm.ts';
import { diarizationErrors, wordsRight } from './score.ts';

const turn = (start: number, end: number, speaker: string) => ({ start, end, speaker });

test('the assignment is optimal, also if the numbers of rows and columns differ', () => {
  assert.deepEqual(
    bestAssignment([
      [7, 5],
      [6, 1],
    ]),
    [1, 0],
  );
  assert.deepEqual(bestAssignment([[1, 9, 3]]), [1]);
  const three = bestAssignment([[4], [9], [2]]);
  assert.deepEqual(three, [null, 0, null]);
  assert.deepEqual(bestAssignment([]), []);
});

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

test('missed, false and confused speech are counted once per speaker, under the best mapping', () => {
  const reference = [turn(0, 4, 'a'), turn(3, 6, 'b')];
  const hypothesis = [turn(0, 3.5, 'x'), turn(3.5, 7, 'y')];
  const errors = diarizationErrors(reference, hypothesis, 0);
  near(errors.total, 7);
  near(errors.missed, 1);
  near(errors.falseAlarm, 1);
  near(errors.confused, 0);
  const swapped = diarizationErrors(reference, [turn(0, 2, 'y'), turn(2, 6, 'x')], 0);
  near(swapped.confused, 1);
});

test('a collar excludes both sides of every reference boundary', () => {
  const reference = [turn(1, 2, 'a')];
  const errors = diarizationErrors(reference, [turn(0.8, 2.2, 'x')], 0.25);
  near(errors.total, 0.5);
  near(errors.missed + errors.falseAlarm + errors.confused, 0);
});

test('words count as right under the best mapping of labels', () => {
  const words = ['a', 'a', 'a', 'b', 'b'].map((speaker, i) => ({ start: i, end: i + 1, speaker }));
  assert.equal(wordsRight(words, [1, 1, 0, 0, null]), 3);
  assert.equal(wordsRight(words, [null, null, null, null, null]), 0);
});

test('RTTM lines become turns, and other lines are skipped', () => {
  const text = 'SPEAKER x 1 0.500 1.250 <NA> <NA> anna <NA> <NA>\n;; a comment\nSPEAKER short\n';
  assert.deepEqual(parseRttm(text), [turn(0.5, 1.75, 'anna')]);
});
