// A tagger in the chain: its deletions are edits like all others, and numbers are safe from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefiner } from './create-refiner.ts';
import { type Deletion, type Tagger, UNJUDGED } from './deletions.ts';
import { applyEdits } from './edits.ts';

const taggerOf = (find: (keys: readonly string[]) => Deletion[]): Tagger => ({
  judge: async (words) => ({ deletions: find(words.map(({ key }) => key)), slips: [] }),
});
const refine = (text: string, tagger: Tagger) =>
  createRefiner({ tagger }).refine(
    {
      pieces: [{ text, startMs: 0, endMs: 1000, language: 'en', confidence: 0.8 }],
      language: 'en',
      vocabulary: [],
    },
    new AbortController().signal,
  );

test('words that the tagger marks are gone, and the edit says why', async () => {
  const tagger = taggerOf((keys) => [{ from: keys.indexOf('when'), to: keys.indexOf('what'), reason: 'begun again' }]);
  const { text, rawText, edits } = await refine('when no what century was it', tagger);
  assert.equal(text, 'What century was it?');
  assert.equal(applyEdits(rawText, edits), text);
  assert.match(edits[0]!.pass, /tagger/u);
});

test('the tagger is given times and confidence', async () => {
  let seen = '';
  await refine('one word', {
    judge: async (words, language) => {
      seen = `${language} ${words.length} ${words[0]!.confidence} ${words[1]!.endMs}`;
      return UNJUDGED;
    },
  });
  assert.equal(seen, 'en 2 0.8 1000');
});

test('the rules leave a repeat alone that the tagger finds meant', async () => {
  const meant: Tagger = { judge: async (words) => ({ deletions: [], slips: words.map(() => 0.01) }) };
  assert.equal((await refine('We saw the the live.', meant)).text, 'We saw the the live.');
  assert.equal((await refine('We saw the the live.', { judge: async () => UNJUDGED })).text, 'We saw the live.');
});

test('a comma that only set the cut off goes with it', async () => {
  const tagger = taggerOf((keys) => [
    { from: keys.indexOf('blue'), to: keys.indexOf('green'), reason: 'taken back', comma: true },
  ]);
  assert.equal((await refine('The blue, sorry green, door is open.', tagger)).text, 'The green door is open.');
});
