import assert from 'node:assert/strict';
import test from 'node:test';
import { FairShares } from './fair-shares.ts';

test('work delays only its own account, by the time it takes at the account’s share', () => {
  const shares = new FairShares(3_000);
  shares.charge('a', 2, 0.5, 10_000);
  assert.equal(shares.dueMs('a', 10_000), 14_000);
  assert.equal(shares.dueMs('b', 10_000), 10_000);
  shares.charge('a', 1, 0.5, 11_000);
  assert.equal(shares.dueMs('a', 11_000), 16_000);
});

test('coming a moment late loses nothing, and a long absence gains nothing', () => {
  const shares = new FairShares(3_000);
  shares.charge('a', 1, 1, 0);
  shares.charge('a', 1, 1, 1_500);
  assert.equal(shares.dueMs('a', 1_500), 2_000);
  shares.charge('a', 1, 1, 60_000);
  assert.equal(shares.dueMs('a', 60_000), 61_000);
});

test('unused time is forgotten while others work', () => {
  const shares = new FairShares(3_000);
  shares.charge('a', 1, 1, 0);
  assert.equal(shares.dueMs('a', 60_000), 57_000);
  shares.charge('b', 1, 1, 3_500);
  assert.equal(shares.dueMs('a', 60_000), 57_000);
  shares.charge('b', 1, 1, 4_500);
  assert.equal(shares.dueMs('a', 60_000), 60_000);
});

test('past work counts against an account for a limited time', () => {
  const shares = new FairShares(3_000);
  shares.charge('a', 10_000, 1, 0);
  assert.equal(shares.dueMs('a', 0), 120_000);
});
