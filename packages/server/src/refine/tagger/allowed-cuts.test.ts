// Tests which cuts of the tagger are allowed.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { textInput } from '../refiner.ts';
import { tokenise } from '../token.ts';
import { isAllowed } from './allowed-cuts.ts';
import type { CutKind } from './decode.ts';

/** `marked` has the cut in brackets. */
const allowed = (marked: string, kind: CutKind = 'correction'): boolean => {
  const words = marked.split(' ');
  const start = words.findIndex((word) => word.startsWith('['));
  const end = words.findIndex((word) => word.endsWith(']')) + 1;
  const text = marked.replaceAll(/[[\]]/gu, '');
  const { tokens } = tokenise(textInput(text, 'en').pieces, 'en');
  return isAllowed(tokens, { start, end, kind, probability: 0.9996 }, false);
};

for (const [marked, kind] of [
  ['We meet at [two no] three today', 'correction'],
  ['Send it to [Anna sorry] Mary', 'correction'],
  ['[We wanted] we want it now', 'restart'],
  ['The [ques-] question is open', 'restart'],
  ['[Which is] what is the name', 'restart'],
  ['[What battle] when was the town taken', 'restart'],
  ['[Who ended um] who began the war', 'restart'],
  ['[Who began or] when did it begin', 'correction'],
  ['The [streams um] the rivers are full', 'restart'],
  ['They say [it is a] it was a mistake', 'restart'],
  ['In which [month or no] year was it built', 'correction'],
] as const)
  it(`allows ${marked}`, () => assert.equal(allowed(marked, kind), true));

for (const [marked, kind] of [
  ['My name is [Margaret Oliver um] I need a card', 'restart'],
  ['We need [twenty no] chairs today', 'correction'],
  ['It is [not] open', 'restart'],
  ['He will [maybe] come later', 'restart'],
  ['[That is all. No] we leave now', 'correction'],
  ['We leave [today no]', 'correction'],
  ['[Who was the king] who signed the treaty', 'restart'],
  ['[Where does the river begin] whose mouth is here', 'restart'],
  ['[Who is the minister] who is also the mayor', 'restart'],
  ['What are [the cells] the body attacks called', 'restart'],
  ["A scientist whose [former teacher's] former pupil is famous", 'restart'],
  ['[Who or] what began it', 'correction'],
  ['Who was [king or] queen after him', 'correction'],
  ['Which [country has no] power to change it', 'correction'],
] as const)
  it(`rejects ${marked}`, () => assert.equal(allowed(marked, kind), false));
