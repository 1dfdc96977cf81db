import assert from 'node:assert/strict';
import test from 'node:test';
import { ControlBudget } from './control-budget.ts';

test('small messages are limited by number, with a burst that refills', () => {
  const budget = new ControlBudget(0);
  const accepted = Array.from({ length: 200 }, () => budget.spend(20, 0)).filter(Boolean).length;
  assert.equal(accepted, 120);
  assert.equal(budget.spend(20, 50), false);
  assert.equal(budget.spend(20, 100), true);
});

test('large messages are limited by size', () => {
  const megabyte = 1024 * 1024;
  assert.equal(new ControlBudget(0).spend(16 * megabyte, 0), false);
  const budget = new ControlBudget(0);
  assert.equal(budget.spend(megabyte, 0), true);
  assert.equal(budget.spend(megabyte, 0), false);
});
