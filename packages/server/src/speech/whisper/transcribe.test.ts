// Tests the outcome of Whisper's attempts at a window, with scripted tokens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedGraphs, scriptedTokenizer } from './testing/scripted-whisper.ts';
import { transcribe, type Whisper } from './transcribe.ts';

const LOOP = Array.from({ length: 60 }, (_, i) => 30 + (i % 2));

const transcribed = async (tokens: readonly number[], precedingText = '', language = 'en') => {
  const { graphs, steps } = scriptedGraphs(tokens);
  const decode = (all: readonly number[]) => all.map((token) => ` w${token}`).join('');
  const languages = new Map([...scriptedTokenizer.languages, ['mn', 42]]);
  const tokenizer = { ...scriptedTokenizer, languages, decode, encode: () => [], transcribe: 43, startOfPrevious: 45 };
  const whisper = { id: 'scripted', graphs, tokenizer, logMel: () => new Float32Array() } as unknown as Whisper;
  const samples = new Float32Array(10 * 16_000);
  const audio = await graphs.encode(samples, 0, 0);
  const { text, degenerate } = await transcribe(whisper, audio, samples, {
    language,
    precedingText,
    checkpoint: () => undefined,
  });
  return { text, degenerate, steps: steps() };
};

test('a text that ends is used', async () => {
  const { text, degenerate } = await transcribed([1, 2, 3]);
  assert.deepEqual([text, degenerate], ['w1 w2 w3', false]);
});

test('confident words before a loop are kept, with one round of it', async () => {
  const { text, degenerate } = await transcribed([1, 2, 3, 4, 5, ...LOOP]);
  assert.deepEqual([text, degenerate], ['w1 w2 w3 w4 w5 w30 w31', false]);
});

test('a loop with few words before it is not shown', async () => {
  assert.equal((await transcribed(LOOP)).degenerate, true);
  assert.equal((await transcribed([1, 2, 3, 4, ...LOOP])).degenerate, true);
});

test('words before a loop that only repeat the preceding text are not shown', async () => {
  const said = 'w1 w2 w3 w4 w5 w30 w31';
  assert.equal((await transcribed([1, 2, 3, 4, 5, ...LOOP], `${said} w6`)).degenerate, true);
});

test('a tier without temperatures decodes a loop again in English only', async () => {
  const english = await transcribed(LOOP);
  const other = await transcribed(LOOP, '', 'mn');
  assert.ok(other.steps < 0.75 * english.steps, `${other.steps} steps, ${english.steps} in English`);
});
