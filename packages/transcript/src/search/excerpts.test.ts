import assert from 'node:assert/strict';
import test from 'node:test';
import { excerptsOf, occurrences } from './excerpts.ts';

test('words are found regardless of case, and excerpts are cut at spaces', () => {
  const text = `${'before '.repeat(20)}The Budget is done. ${'after '.repeat(20)}and the budget again`;
  assert.deepEqual(excerptsOf(text, ' budget ', 5), [
    '…before before before before before The Budget is done. after after after after after…',
    '…after after after after after and the budget again',
  ]);
  assert.equal(excerptsOf(text, 'budget', 1).length, 1);
});

test('empty words are not found, and text without spaces is quoted whole around a match', () => {
  assert.deepEqual(occurrences('any text', '  '), []);
  assert.deepEqual(excerptsOf('会議の予算は', '予算', 3), ['会議の予算は']);
  assert.deepEqual(excerptsOf('nothing here', 'budget', 3), []);
});
