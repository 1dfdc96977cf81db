import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBreaks } from './sentence-breaks.ts';

const timed = (text: string) =>
  text.split(' ').map((word, at) => ({ text: word, startMs: 300 * at, endMs: 300 * at + 250 }));

test('breaks are compared at equal words; the end of the recording does not count', () => {
  const found = compareBreaks(timed('We went to the shop. It was shut.'), timed('We went. To the shop it was shut.'));
  assert.equal(found.inFile, 1);
  assert.equal(found.inFinals, 1);
  assert.deepEqual(found.added, ['We went. To the']);
  assert.deepEqual(found.missed, ['went. To the shop it was']);
  assert.equal(found.compared, 7);
});

test('a capital without a preceding break is counted if the file has none there', () => {
  const found = compareBreaks(timed('we met them in Rome'), timed('We met Them in Rome'));
  assert.deepEqual(found.capitals, ['We met Them in Rome']);
});
