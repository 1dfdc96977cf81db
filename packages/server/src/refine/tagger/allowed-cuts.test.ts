import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Token, tokenise } from '../token.ts';
import { isAllowed } from './allowed-cuts.ts';
import type { CutKind } from './decode.ts';

/** The cut is in brackets. */
const allowed = (marked: string, kind: CutKind = 'correction'): boolean => {
  const words = marked.split(' ');
  const start = words.findIndex((word) => word.startsWith('['));
  const end = words.findIndex((word) => word.endsWith(']')) + 1;
  const text = marked.replaceAll(/[[\]]/gu, '');
  const tokens: readonly Token[] = tokenise(
    [{ text, startMs: 0, endMs: 0, language: 'en', confidence: 1 }],
    'en',
  ).tokens;
  return isAllowed(tokens, { start, end, kind, probability: 0.995 }, false);
};

for (const [marked, kind] of [
  ['We meet at [two no] three today', 'correction'],
  ['Send it to [Anna sorry] Mary', 'correction'],
  ['[We wanted] we want it now', 'restart'],
  ['The [ques-] question is open', 'restart'],
] as const)
  it(`allows ${marked}`, () => assert.equal(allowed(marked, kind), true));

for (const [marked, kind] of [
  ['My name is [Margaret Oliver um] I need a card', 'restart'],
  ['We need [twenty no] chairs today', 'correction'],
  ['It is [not] open', 'restart'],
  ['He will [maybe] come later', 'restart'],
  ['[That is all. No] we leave now', 'correction'],
  ['We leave [today no]', 'correction'],
] as const)
  it(`rejects ${marked}`, () => assert.equal(allowed(marked, kind), false));
