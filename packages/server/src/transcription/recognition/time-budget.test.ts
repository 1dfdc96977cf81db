import assert from 'node:assert/strict';
import test from 'node:test';
import { TimeBudget } from './time-budget.ts';

const budgetWith = (waitSeconds: number) => {
  const state = { nowMs: 0, waitSeconds };
  const budget = new TimeBudget({ waitSeconds: () => state.waitSeconds }, { monotonicMs: () => state.nowMs });
  return { state, budget };
};

test('without a deadline there is always time', () => {
  const { budget } = budgetWith(1_000);
  assert.equal(budget.isShort(), false);
  assert.equal(budget.isReduced, false);
});

test('time is short only while the known work would fill most of the remaining time', () => {
  const { state, budget } = budgetWith(60);
  budget.begin(90_000, 0);
  assert.equal(budget.isShort(), false);
  state.nowMs = 10_000;
  assert.equal(budget.isShort(), true);
  state.waitSeconds = 20;
  assert.equal(budget.isShort(), false);
  assert.equal(budget.isReduced, true, 'one window was enough');
});

test('time is short near the deadline, and time spent on decoding counts', () => {
  const { state, budget } = budgetWith(0);
  budget.begin(90_000, 60_000);
  assert.equal(budget.isShort(), false);
  state.nowMs = 10_000;
  assert.equal(budget.isShort(), true);
});
