import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MultilingualSpeech } from '../acoustic/acoustic-model.ts';
import { pooled, poolHalves } from './pool-languages.ts';
import { likeliest } from './prior.ts';

const guess = (...shares: [string, number][]) => new Map(shares);

test('what two of three guesses say outweighs the third, and all sum to one', () => {
  const made = pooled([
    guess(['ar', 0.6], ['fr', 0.4]),
    guess(['fr', 0.8], ['ar', 0.1], ['es', 0.1]),
    guess(['fr', 0.7], ['es', 0.3]),
  ]);
  assert.equal(likeliest(made)[0], 'fr');
  assert.ok(Math.abs([...made.values()].reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
});

test('one guess that leaves a language out does not rule it out', () => {
  const sure = guess(['sl', 0.99], ['hr', 0.01]);
  assert.equal(likeliest(pooled([sure, sure, guess(['hr', 1])]))[0], 'sl');
});

test('the halves of a window are asked where they are long enough', async () => {
  const asked: unknown[] = [];
  const speech = {
    detectLanguage: async (part: unknown) => {
      asked.push(part);
      return guess(['nl', 0.9], ['de', 0.1]);
    },
  } as unknown as MultilingualSpeech;
  const whole = guess(['nl', 0.4], ['de', 0.6]);
  assert.equal(await poolHalves(whole, speech, 24_000), whole);
  assert.equal(likeliest(await poolHalves(whole, speech, 48_001))[0], 'nl');
  assert.deepEqual(asked, [
    { fromSample: 0, toSample: 24_000 },
    { fromSample: 24_000, toSample: 48_001 },
  ]);
});
