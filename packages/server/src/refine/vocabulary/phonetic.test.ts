// What sounds alike and what does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likeness, soundOf } from './phonetic.ts';

test('misheard words sound like the term', () => {
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

test('other words do not', () => {
  for (const [a, b] of [
    ['Kubernetes', 'corporate'],
    ['Postgres', 'progress'],
    ['Grafana', 'banana'],
  ] as const)
    assert.notEqual(soundOf(a), soundOf(b));
});

test('likeness is 1 for the same letters, 0 for none in common', () => {
  assert.equal(likeness('abc', 'abc'), 1);
  assert.equal(likeness('abc', 'xyz'), 0);
  assert.equal(likeness('', ''), 1);
  assert.equal(likeness('duguid', 'dugwid'), 1 - 1 / 6);
});
