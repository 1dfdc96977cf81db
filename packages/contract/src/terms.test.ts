// Tests for parsing vocabulary terms.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readTerm } from './terms.ts';

test('a term is one line with single spaces and no control characters', () => {
  assert.deepEqual(readTerm('  Anna\n\u0000 Schmidt\u200b '), { text: 'Anna Schmidt' });
});

test('a term may say how it sounds', () => {
  assert.deepEqual(readTerm('Nguyen (sounds like win, nwin)'), { text: 'Nguyen', soundsLike: ['win', 'nwin'] });
  assert.deepEqual(readTerm('Nguyen (sounds like)'), { text: 'Nguyen (sounds like)' });
});

test('an empty or very long term is rejected', () => {
  assert.equal(readTerm(' \n\t'), null);
  assert.equal(readTerm('x'.repeat(10_000)), null);
});

test('pattern characters are taken literally', () => {
  assert.deepEqual(readTerm('(a+)+$'), { text: '(a+)+$' });
});
