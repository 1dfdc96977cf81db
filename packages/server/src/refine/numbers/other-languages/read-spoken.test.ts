// Tests spoken numbers in languages other than English.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cursor } from '../../cursor.ts';
import { textInput } from '../../refiner.ts';
import { tokenise } from '../../token.ts';
import { numberLanguageOf } from '../languages.ts';
import { readSpoken } from './read-spoken.ts';

const read = (text: string, code: string) => {
  const { tokens } = tokenise(textInput(text, code).pieces, code);
  const reading = readSpoken(new Cursor(tokens, []), 0, numberLanguageOf(code)!);
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
  ['de', 'drei hundert vierundsiebzig tausend vier hundert eins Euro', 374401, 7],
  ['de', 'vier und zwanzig Uhr', 24, 3],
  ['de', 'eine Million zweihunderttausend', 1_200_000, 3],
  ['de', 'neunzehnhundert achtzig', 1980, 2],
  ['nl', 'tweeënzeventighonderd dertig', 7230, 2],
  ['nl', 'honderd en vijf', 105, 3],
  ['es', 'dos millones trescientos veintiséis mil seiscientos cincuenta y ocho euros', 2_326_658, 9],
  ['es', 'doscientas treinta y una', 231, 4],
  ['es', 'tres mil millones', 3e9, 3],
  ['fr', 'un million quatre-vingt mille six cent onze', 1_080_611, 7],
  ['fr', 'mille neuf cent quatre vingt dix neuf', 1999, 7],
  ['fr', 'dix-neuf cent quatre-vingts', 1980, 3],
  ['fr', 'septante et un', 71, 3],
  ['fr', 'huitante-trois', 83, 1],
  ['fr', 'nonante neuf', 99, 2],
  ['it', 'centottantotto', 188, 1],
  ['it', 'un milione e duecentomila', 1_200_000, 4],
  ['it', 'ventunmila', 21_000, 1],
  ['pt', 'dois mil e vinte e quatro', 2024, 6],
  ['pt', 'dezasseis', 16, 1],
  ['pt', 'dezesseis', 16, 1],
  ['pt', 'duzentas e duas', 202, 3],
  ['pt', 'dois mil milhões', 2e9, 3],
];
for (const [code, text, value, words] of readings) {
  test(`${code}: "${text}" is ${value}`, () => assert.deepEqual(read(text, code), [value, words]));
}

test('two numbers side by side are not read as one', () => {
  for (const [code, text, value, words] of [
    ['de', 'zwanzig dreißig Euro', 20, 1],
    ['es', 'veinte y cinco', 20, 1],
    ['es', 'treinta cinco', 30, 1],
    ['fr', 'cent et un', 100, 1],
    ['nl', 'tien en twintig', 10, 1],
    ['pt', 'cem e dois', 100, 1],
  ] as const) {
    assert.deepEqual(read(text, code), [value, words], `${code} ${text}`);
  }
});

test('words that only look like numbers are not numbers', () => {
  for (const [code, text] of [
    ['nl', 'achten'],
    ['nl', 'drieën'],
    ['it', 'cent'],
    ['de', 'achtung'],
  ] as const) {
    assert.equal(read(text, code), null, `${code} ${text}`);
  }
});

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
