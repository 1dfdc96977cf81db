import assert from 'node:assert/strict';
import test from 'node:test';
import { billedSeconds } from './limits.ts';

test('audio is billed in whole seconds, rounded up, at least fifteen', () => {
  assert.equal(billedSeconds(0.1), 15);
  assert.equal(billedSeconds(15), 15);
  assert.equal(billedSeconds(15.01), 16);
  assert.equal(billedSeconds(20), 20);
  assert.equal(billedSeconds(299.2), 300);
});

test('a rounding error in a duration is not billed', () => {
  assert.equal(billedSeconds(20 + 1e-9), 20);
});
