import assert from 'node:assert/strict';
import test from 'node:test';
import { lettersOf } from './letters.ts';

test('accents, optional vowel signs, case and marks do not count', () => {
  assert.equal(lettersOf('Żółw-Straße, 5'), lettersOf('zołwstrasse5'));
  assert.equal(lettersOf('Crème Brûlée'), 'cremebrulee');
  for (const form of ['NFC', 'NFD']) assert.equal(lettersOf('Королёв'.normalize(form)), lettersOf('Королев'));
  assert.equal(lettersOf('مُحَمَّد'), lettersOf('محمد'));
});

test('vowel signs and voicing marks are letters', () => {
  for (const [one, other] of [
    ['रानी', 'रीना'],
    ['गीता', 'गीत'],
    ['มา', 'มี'],
    ['かき', 'がき'],
    ['мой', 'мои'],
  ] as const)
    assert.notEqual(lettersOf(one), lettersOf(other));
});
