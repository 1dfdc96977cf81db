import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLoop, isRepetitive } from './repetition.ts';

test('ordinary repetition is not a loop', () => {
  assert.equal(findLoop([1, 2, 3, 4, 5]), null);
  assert.equal(findLoop([7, 5, 5, 5, 5]), null);
  assert.equal(findLoop([1, 2, 1, 2, 1, 2]), null);
});

test('a loop is found at the end of the tokens, and its first round is kept', () => {
  assert.deepEqual(findLoop([9, 5, 5, 5, 5, 5, 5]), { before: 1, keep: 2 });
  assert.deepEqual(findLoop([9, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]), { before: 1, keep: 3 });
  const sentence = [1, 2, 3, 4, 5, 6];
  assert.deepEqual(findLoop([8, ...sentence, ...sentence, ...sentence, ...sentence]), {
    before: 1,
    keep: 7,
  });
});

test('repeated text compresses too well, ordinary and short text does not', () => {
  assert.equal(isRepetitive('ha ha '.repeat(40)), true);
  assert.equal(isRepetitive('The old man went to the door, and asked who had been there before the rain.'), false);
  assert.equal(isRepetitive('no no no no'), false);
});

test('digits may repeat as often as in a card number, words may not', () => {
  const texts = ['0', '1', '4', ' 1', ',', ' no'];
  const textOf = (tokens: readonly number[]) => tokens.map((token) => texts[token]).join('');
  const times = (count: number, ...unit: number[]) => Array.from({ length: count }, () => unit).flat();
  assert.equal(findLoop([2, ...times(15, 1)], textOf), null);
  assert.equal(findLoop([2, ...times(8, 3, 4)], textOf), null);
  assert.deepEqual(findLoop([2, ...times(17, 1)], textOf), { before: 1, keep: 2 });
  assert.deepEqual(findLoop([2, ...times(6, 5)], textOf), { before: 1, keep: 2 });
});
