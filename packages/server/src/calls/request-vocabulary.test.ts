// The terms of a request and of its account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TERM_LIMITS } from '@faircopy/contract';
import { checkTerms, mergeVocabulary, requestTerm } from './request-vocabulary.ts';

const terms = (count: number, length = 8) =>
  Array.from({ length: count }, (_, nth) => ({ text: `${nth}`.padEnd(length, 'x') }));

test('a request may have 1 000 terms, and no more', () => {
  assert.equal(checkTerms(terms(1_000), 'vocabulary').length, 1_000);
  assert.throws(() => checkTerms(terms(2_000), 'vocabulary'), { code: 'INVALID_REQUEST' });
});

test('terms are limited in bytes', () => {
  assert.throws(() => checkTerms(terms(500, 90), 'vocabulary'), { code: 'INVALID_REQUEST' });
});

test('the refusal of a term that is too long names the field', () => {
  assert.throws(() => requestTerm('x'.repeat(10_000), 'keyterm'), /"keyterm"/);
});

test('terms that an earlier version stored as strings are read', () => {
  assert.deepEqual(mergeVocabulary(['Anna'], []), [{ text: 'Anna' }]);
});

test("the request's own terms come first and are never crowded out", () => {
  const own = [{ text: 'Anna', weight: 2 }, ...terms(900)];
  const merged = mergeVocabulary(own, [
    'Anna',
    'Nguyen (sounds like win)',
    ...terms(400).map(({ text }) => `y${text}`),
  ]);
  assert.equal(merged.length, TERM_LIMITS.countMax);
  assert.deepEqual(merged[0], { text: 'Anna', weight: 2 });
  assert.deepEqual(merged[901], { text: 'Nguyen', soundsLike: ['win'] });
});
