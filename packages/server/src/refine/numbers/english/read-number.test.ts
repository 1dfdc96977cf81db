// Tests how English numbers are read from words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cursor } from '../../cursor.ts';
import { textInput } from '../../refiner.ts';
import { tokenise } from '../../token.ts';
import { readNumber } from './read-number.ts';

const read = (text: string) => {
  const { tokens } = tokenise(textInput(text, 'en').pieces, 'en');
  const reading = readNumber(new Cursor(tokens, []));
  return reading && `${reading.kind} ${reading.value} in ${reading.length}`;
};

const readings: readonly [text: string, reading: string | null][] = [
  ['seven', 'cardinal 7 in 1'],
  ['twenty five people', 'cardinal 25 in 2'],
  ['twenty-five people', 'cardinal 25 in 1'],
  ['one hundred and five', 'cardinal 105 in 4'],
  ['fifteen hundred', 'cardinal 1500 in 2'],
  ['two thousand five hundred and six', 'cardinal 2506 in 6'],
  ['three million two hundred thousand', 'cardinal 3200000 in 5'],
  ['a hundred and thirty four dollars', 'cardinal 134 in 5'],
  ['twenty first', 'ordinal 21 in 2'],
  ['one hundred and first', 'ordinal 101 in 4'],
  ['1,250', 'cardinal 1250 in 1'],
  ['3rd', 'ordinal 3 in 1'],
  // Punctuation or a second bare number ends the first number.
  ['twenty, five', 'cardinal 20 in 1'],
  ['twenty thirty', 'cardinal 20 in 1'],
  ['one two', 'cardinal 1 in 1'],
  ['people', null],
  ['and five', null],
];
for (const [text, reading] of readings) {
  test(`"${text}" is ${reading ?? 'no number'}`, () => assert.equal(read(text), reading));
}
