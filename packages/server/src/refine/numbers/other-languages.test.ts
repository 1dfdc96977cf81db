// Spoken numbers of the other languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cursor } from '../rewrite.ts';
import { tokenise } from '../token.ts';
import { readOtherLanguage } from './other-languages.ts';

const read = (text: string, code: string) => {
  const { tokens } = tokenise([{ text, startMs: 0, endMs: 1, language: code, confidence: 1 }], code);
  const reading = readOtherLanguage(new Cursor(tokens, []), 0, code);
  return reading && [reading.value, reading.length];
};

const readings: readonly [code: string, text: string, value: number, words: number][] = [
  ['de', 'einundzwanzig', 21, 1],
  ['de', 'dreihundertfünfundvierzig', 345, 1],
  ['de', 'zweitausendvierundzwanzig', 2024, 1],
  ['de', 'neunzehnhundertneunundneunzig', 1999, 1],
  ['nl', 'tweeëntwintig', 22, 1],
  ['nl', 'tweeduizend vierentwintig', 2024, 2],
  ['es', 'treinta y cinco años', 35, 3],
  ['es', 'mil novecientos noventa', 1990, 3],
  ['es', 'dos mil veinticuatro', 2024, 3],
  ['fr', 'quatre-vingt-dix-sept', 97, 1],
  ['fr', 'soixante et onze', 71, 3],
  ['fr', 'deux mille vingt-quatre', 2024, 3],
  ['it', 'ventuno', 21, 1],
  ['it', 'duemilaventiquattro', 2024, 1],
  ['pt', 'quarenta e dois', 42, 3],
  ['pt', 'mil e duzentos', 1200, 3],
];
for (const [code, text, value, words] of readings) {
  test(`${code}: "${text}" is ${value}`, () => assert.deepEqual(read(text, code), [value, words]));
}

test('articles are not numbers', () => {
  for (const [code, text] of [
    ['es', 'uno'],
    ['fr', 'un homme'],
    ['it', 'uno zaino'],
    ['pt', 'um homem'],
    ['de', 'ein Mann'],
    ['nl', 'een man'],
  ] as const) {
    assert.equal(read(text, code), null, `${code} ${text}`);
  }
});
