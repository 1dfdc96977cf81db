// A tagger in the chain: its deletions are edits like all others, and numbers are safe from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefiner } from './create-refiner.ts';
import type { Deletion, Tagger } from './deletions.ts';
import { applyEdits } from './edits.ts';

const taggerOf = (find: (keys: readonly string[]) => Deletion[]): Tagger => ({
  deletionsIn: async (words) => find(words.map(({ key }) => key)),
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
    deletionsIn: async (words, language) => {
      seen = `${language} ${words.length} ${words[0]!.confidence} ${words[1]!.endMs}`;
      return [];
    },
  });
  assert.equal(seen, 'en 2 0.8 1000');
});
