import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DecodeOptions, decodeTokens } from '../whisper/decode.ts';
import { END_OF_TEXT, PROMPT, scriptedGraphs, scriptedTokenizer } from '../whisper/testing/scripted-whisper.ts';
import { TokenDraft } from './token-draft.ts';

const decoded = async (text: readonly number[], draft: readonly number[]) => {
  const { graphs, steps } = scriptedGraphs(text);
  const options: DecodeOptions = {
    prompt: PROMPT,
    draft,
    tokensMax: 50,
    timestamps: null,
    temperature: 0,
    random: () => 0,
  };
  const audio = await graphs.encode(new Float32Array(0), 0, 0);
  const { tokens, ending } = await decodeTokens(graphs, scriptedTokenizer, audio, options, () => undefined);
  return { tokens, ending, calls: steps() };
};

const numbers = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, i) => (seed * 31 + i * 17 + ((i * i * seed) % 13)) % END_OF_TEXT);

test('a correct draft is decoded in one run', async () => {
  const text = numbers(14, 3);
  assert.deepEqual(await decoded(text, text), { tokens: text, ending: 'end', calls: 1 });
});

test('a draft changes the number of steps, never the text', async () => {
  for (let seed = 1; seed < 200; seed++) {
    const text = numbers(seed % 50, seed);
    const draft = numbers((seed * 7) % 60, seed);
    // All kinds of differences: an extra word, a missing word, another word.
    draft.splice(seed % 9, seed % 3, ...numbers(seed % 4, seed + 1));
    const { tokens, ending, calls } = await decoded(text, draft);
    assert.deepEqual(tokens, text);
    assert.equal(ending, 'end');
    assert.ok(calls <= text.length + 1);
  }
});

test('one different word costs one more step, and the draft is used again after it', async () => {
  const text = numbers(14, 5);
  for (const draft of [text.with(6, 39), text.toSpliced(6, 1), text.toSpliced(6, 0, 38)]) {
    const { tokens, calls } = await decoded(text, draft);
    assert.deepEqual(tokens, text);
    assert.ok(calls <= 4, `${calls} steps`);
  }
});

test('proposals never extend past the draft', () => {
  const draft = new TokenDraft([1, 2, 3]);
  assert.deepEqual(draft.first(), [1, 2, 3]);
  assert.deepEqual(draft.after([3], false), []);
  assert.deepEqual(draft.after([3, 9], true), []);
});

test('a word that occurs again later in the draft does not cause a wrong alignment', async () => {
  const [the, of] = [1, 2];
  const draft = [the, 10, of, 11, 12, 13, the, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26];
  const { tokens, calls } = await decoded(draft.toSpliced(3, 0, the), draft);
  assert.deepEqual(tokens, draft.toSpliced(3, 0, the));
  assert.ok(calls <= 6, `${calls} steps`);
});
