// Tests phonetic keys and the similarity of letters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { similarity, soundOf } from './phonetic.ts';

test('misrecognised words have the same key as the term', () => {
  for (const [term, heard] of [
    ['Kubernetes', 'cooper netties'],
    ['PyTorch', 'pie torch'],
    ['Grafana', 'graphana'],
    ['Kowalczyk', 'kowalchik'],
    ['Anjali', 'angelie'],
    ['Müller', 'muller'],
  ] as const) {
    assert.equal(soundOf(heard), soundOf(term), heard);
  }
});

test('different words have different keys', () => {
  for (const [a, b] of [
    ['Kubernetes', 'corporate'],
    ['Postgres', 'progress'],
    ['Grafana', 'banana'],
  ] as const)
    assert.notEqual(soundOf(a), soundOf(b));
});

test('similarity is 1 for the same letters and 0 for none in common', () => {
  assert.equal(similarity('abc', 'abc'), 1);
  assert.equal(similarity('abc', 'xyz'), 0);
  assert.equal(similarity('', ''), 1);
  assert.equal(similarity('duguid', 'dugwid'), 1 - 1 / 6);
});
