import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pooled } from './pool-languages.ts';
import { likeliest } from './prior.ts';

const guess = (...shares: [string, number][]) => new Map(shares);

test('two of three guesses outweigh the third, and the result sums to one', () => {
  const made = pooled([
    guess(['ar', 0.6], ['fr', 0.4]),
    guess(['fr', 0.8], ['ar', 0.1], ['es', 0.1]),
    guess(['fr', 0.7], ['es', 0.3]),
  ]);
  assert.equal(likeliest(made)[0], 'fr');
  assert.ok(Math.abs([...made.values()].reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
});

test('a language missing from one guess is not ruled out', () => {
  const sure = guess(['sl', 0.99], ['hr', 0.01]);
  assert.equal(likeliest(pooled([sure, sure, guess(['hr', 1])]))[0], 'sl');
});
