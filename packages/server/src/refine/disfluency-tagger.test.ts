// Tests a tagger in the chain: its deletions become edits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefiner } from './create-refiner.ts';
import { type Deletion, NOTHING_TAGGED, type Tagger } from './disfluency-tagger.ts';
import { applyEdits } from './edits.ts';

const taggerOf = (find: (keys: readonly string[]) => Deletion[]): Tagger => ({
  tag: async (words) => ({ deletions: find(words.map(({ key }) => key)), disfluencies: [] }),
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

test('tagged words are deleted, and the edit names the tagger pass', async () => {
  const tagger = taggerOf((keys) => [
    { from: keys.indexOf('when'), to: keys.indexOf('what'), reason: 'a false start' },
  ]);
  const { text, rawText, edits } = await refine('when no what century was it', tagger);
  assert.equal(text, 'What century was it?');
  assert.equal(applyEdits(rawText, edits), text);
  assert.match(edits[0]!.pass, /tagger/u);
});

test('the tagger receives times and confidence', async () => {
  let seen = '';
  await refine('one word', {
    tag: async (words, language) => {
      seen = `${language} ${words.length} ${words[0]!.confidence} ${words[1]!.endMs}`;
      return NOTHING_TAGGED;
    },
  });
  assert.equal(seen, 'en 2 0.8 1000');
});

test('the rules keep a repeat that the tagger rates as fluent', async () => {
  const meant: Tagger = { tag: async (words) => ({ deletions: [], disfluencies: words.map(() => 0.01) }) };
  assert.equal((await refine('We saw the the live.', meant)).text, 'We saw the the live.');
  assert.equal((await refine('We saw the the live.', { tag: async () => NOTHING_TAGGED })).text, 'We saw the live.');
});

test('a comma that only set off the deleted words is deleted too', async () => {
  const tagger = taggerOf((keys) => [
    { from: keys.indexOf('blue'), to: keys.indexOf('green'), reason: 'corrected', comma: true },
  ]);
  assert.equal((await refine('The blue, sorry green, door is open.', tagger)).text, 'The green door is open.');
});
