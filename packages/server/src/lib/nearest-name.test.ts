import assert from 'node:assert/strict';
import test from 'node:test';
import { editDistance, nearest } from './nearest-name.ts';

test('the distance counts letters added, dropped, changed and swapped', () => {
  for (const [from, to, distance] of [
    ['models', 'models', 0],
    ['modles', 'models', 1],
    ['model', 'models', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ] as const)
    assert.equal(editDistance(from, to), distance, `${from} ${to}`);
});

test('a similar name is found, a different one is not', () => {
  assert.equal(nearest('defualt', ['default', 'acme']), 'default');
  assert.equal(nearest('acme', ['default']), null);
});
