import assert from 'node:assert/strict';
import test from 'node:test';
import { redactedKinds } from '@faircopy/contract';
import { type Token, tokenise } from '../token.ts';
import { detect } from './detect.ts';
import type { Entity } from './spoken-text.ts';

const PERSONAL = new Set(redactedKinds(['pii']));
const tokensOf = (text: string, language = 'en'): readonly Token[] =>
  tokenise([{ text, startMs: 0, endMs: 0, language, confidence: 1 }], language).tokens;

const found = (text: string, language = 'en', kinds: Parameters<typeof detect>[1] = PERSONAL): Entity[] =>
  detect(tokensOf(text, language), kinds);
const said = (text: string, language = 'en'): string[] =>
  found(text, language).map(({ kind, from, to }) => `${kind}: ${text.split(' ').slice(from, to).join(' ')}`);

const times = (count: number, text: string): string => Array.from({ length: count }, () => text).join(' ');

test('a number with the form of a named one, or that begins with it, is not personal', () => {
  assert.deepEqual(said('order 66 20 481 and then we also got 66 20 497 here'), []);
  assert.deepEqual(said('order 66 20 481 and then we also got 66 20 481 7 here'), []);
  assert.deepEqual(said('order 66 20 481 and then we also got 67 20 497 here'), ['number: 67 20 497']);
  assert.deepEqual(said('order 66 20 481 and then we also got 66 204 97 here'), ['number: 66 204 97']);
});

test('digits that are also other words count from either end of their run', () => {
  const numbers = new Set(redactedKinds(['numbers']));
  const spans = (text: string) => found(text, 'fr', numbers).map(({ from, to }) => [from, to]);
  assert.deepEqual(spans('un un un deux'), [[0, 4]]);
  assert.deepEqual(spans('deux un un un'), [[0, 4]]);
  assert.deepEqual(spans('un un un un'), []);
});

// These would take up to a minute each if every number were compared with every other, or with the whole text.
for (const [name, text, kind, count, language] of [
  ['numbers without a name', times(2_000, 'so 66 20 481 it was said'), 'number', 2_000],
  ['one name for all', `order 66 20 481 was late. ${times(2_000, 'so 66 20 481 it was said')}`, '', 0],
  ['one run of numbers', times(9_000, '481'), 'card', 1],
  ['one run of doubtful digits', times(20_000, 'un'), '', 0, 'fr'],
  ['one run of codes', times(9_000, 'DE89'), '', 0],
  // Each is a house number, and follows the one before it.
  ['a list of flats', times(2_000, 'flat 3,'), 'address_number', 3_999],
  ['telephone numbers', times(2_000, 'call me on 212 555 0187.'), 'phone', 2_000],
] as const)
  test(`a long text: ${name}`, () => {
    const entities = found(text, language);
    assert.equal(entities.length, count);
    assert.ok(entities.every((entity) => entity.kind === kind));
  });

test('an address covers a limited part of a chain of names, hosts or attempts', () => {
  for (const text of [times(2_000, 'dot at'), `${times(2_000, 'jane dot doe no')} at example dot com`]) {
    const entities = found(text);
    assert.ok(entities.length > 0 && entities.every(({ from, to }) => to - from < 1_100));
  }
});
