// Tests how alike texts sound.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikeness, phonesOf } from './sound.ts';

const alike = (a: string, b: string): number => alikeness(phonesOf(a), phonesOf(b));

test('misheard names sound alike', () => {
  for (const [a, b] of [
    ['Kubernetes', 'cooper netties'],
    ['Merneptah', 'Marineptah'],
    ['Jamieson', 'Jameson'],
    ['phosphor', 'fosfor'],
  ] as const)
    assert.ok(alike(a, b) >= 0.8, `${a} ${b} ${alike(a, b)}`);
});

test('unrelated words do not sound alike', () => {
  for (const [a, b] of [
    ['Kubernetes', 'banana'],
    ['Farnese', 'greedily'],
    ['duel', 'miserable'],
  ] as const)
    assert.ok(alike(a, b) < 0.6, `${a} ${b} ${alike(a, b)}`);
});

test('equal sounds are 1, and the order does not matter', () => {
  assert.equal(alike('Crayfish', 'crayfish'), 1);
  assert.equal(alike('lobster', 'lopster'), alike('lopster', 'lobster'));
});

test('other scripts are compared letter by letter', () => {
  assert.equal(alike('東京', '東京'), 1);
  assert.ok(alike('東京', 'Tokyo') < 0.5);
});

test('very long texts are not compared', () => {
  assert.equal(alikeness('ab'.repeat(50), 'ba'.repeat(50)), 0);
});
