import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oddsOfTwo } from './language-change.ts';

const sides = (...probabilities: [string, number][]) => new Map(probabilities);

test('two sides with clear, different languages are a change', () => {
  assert.ok(oddsOfTwo(sides(['de', 0.98], ['en', 0.01]), sides(['en', 0.95], ['de', 0.02])) > 40);
});

test('one language on both sides, or unclear sides, are not a change', () => {
  assert.ok(oddsOfTwo(sides(['de', 0.9], ['nl', 0.1]), sides(['de', 0.8], ['nl', 0.2])) <= 1);
  assert.equal(oddsOfTwo(sides(['zh', 0.2], ['pl', 0.2]), sides(['en', 0.9])), 1);
});

test('similar languages need more certainty', () => {
  const sure = oddsOfTwo(sides(['nl', 0.9], ['de', 0.08]), sides(['de', 0.9], ['nl', 0.08]));
  const unsure = oddsOfTwo(sides(['nl', 0.6], ['de', 0.38]), sides(['de', 0.6], ['nl', 0.38]));
  assert.ok(sure > 7 && unsure < 7, `${sure}, ${unsure}`);
});
