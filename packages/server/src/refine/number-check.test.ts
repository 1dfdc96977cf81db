// Tests the number check: it undoes what a faulty pass does to a number, but not a correction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from './edits.ts';
import { checkNumbers } from './number-check.ts';
import { textInput } from './refiner.ts';
import { type ChangeRecord, rewrite } from './rewrite.ts';
import { reword, type Token, tokenise } from './token.ts';

const tokensOf = (text: string, language: string) => tokenise(textInput(text, language).pieces, language).tokens;

/** The text and the number of restored spans after a pass that makes this change. */
const checked = (text: string, language: string, pass: string, change: (tokens: readonly Token[]) => Token[]) => {
  const raw = tokensOf(text, language);
  const refined = change(raw);
  const records: ChangeRecord[] = [{ pass, reason: '', rawStart: 0, rawEnd: text.length }];
  const { tokens, restored } = checkNumbers(text, raw, refined, records);
  return [textOf(tokens), restored];
};
const without =
  (...keys: string[]) =>
  (tokens: readonly Token[]) =>
    tokens.filter((_, n) => !keys.includes(String(n))).map((token, n) => (n === 0 ? { ...token, gap: '' } : token));

test('deleted digits are restored', () => {
  assert.deepEqual(checked('nueve seis uno nueve seis uno', 'es', 'repeats', without('3', '4', '5')), [
    'nueve seis uno nueve seis uno',
    1,
  ]);
});

test('a partly written number is restored', () => {
  const half = (tokens: readonly Token[]) =>
    tokens.map((token) => (token.key === 'hundert' ? reword(token, '100') : token));
  assert.deepEqual(checked('zwei hundert Meter', 'de', 'numbers', half), ['zwei hundert Meter', 1]);
});

test('a changed value is restored, and other edits stay', () => {
  const wrong = (tokens: readonly Token[]) =>
    tokens.map((token) => (token.key === 'six' ? reword(token, '7') : token.key === 'i' ? reword(token, 'I') : token));
  assert.deepEqual(checked('i have six dogs', 'en', 'numbers', wrong), ['I have six dogs', 1]);
});

test('a decimal is not split', () => {
  const apart = (tokens: readonly Token[]) => [{ ...tokens[0]!, trail: ',' }, tokens[2]!];
  assert.deepEqual(checked('vier Komma neun', 'de', 'commands', apart), ['vier Komma neun', 1]);
});

test('a corrected number stays deleted', () => {
  assert.deepEqual(checked('five no seven', 'en', 'corrections', without('0', '1')), ['seven', 0]);
});

test('a correction cannot invent a number', () => {
  const wrong = (tokens: readonly Token[]) => [reword(tokens[2]!, '8')];
  assert.deepEqual(checked('five no seven', 'en', 'corrections', wrong), ['five no seven', 1]);
});

test('a written form of the same value is kept', () => {
  const merged = (core: string) => (tokens: readonly Token[]) => [
    ...rewrite(tokens, 'numbers', (at) => ({
      take: tokens.length,
      put: [{ ...at.ahead(0)!, core, key: core, rawEnd: tokens.at(-1)!.rawEnd }],
      reason: '',
    })).tokens,
  ];
  for (const [language, said, written] of [
    ['en', 'three oh five p m', '3:05 p.m.'],
    ['en', 'nineteen sixty eight', '1968'],
    ['en', 'two point five million', '2.5 million'],
    ['de', 'zwölf Euro und fünf Cent', '12,05 Euro'],
    ['de', 'drei Uhr fünf', '3:05 Uhr'],
    ['fr', 'quatre-vingt-dix-sept', '97'],
    ['en', 'one nine two dot one six eight dot o dot one', '192.168.0.1'],
  ] as const)
    assert.deepEqual(checked(said, language, 'numbers', merged(written)), [written, 0], said);
});
