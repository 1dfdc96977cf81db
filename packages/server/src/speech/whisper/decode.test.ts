import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTokens } from './decode.ts';
import type { WhisperGraphs } from './graphs.ts';
import { PROMPT, scriptedGraphs, scriptedTokenizer } from './testing/scripted-whisper.ts';
import { transcribeBeginning, type Whisper } from './transcribe.ts';

const TEXT = [1, 2, 3, 4, 5];

/** Every token has the log-probability −1. */
const doubtful = ({ decode, ...graphs }: WhisperGraphs): WhisperGraphs => ({
  ...graphs,
  async decode(...given) {
    const step = await decode(...given);
    return { ...step, rows: step.rows.map(({ logits }) => ({ logits, logSum: 10 })) };
  },
});

const read = async (totalMin?: number) => {
  const graphs = doubtful(scriptedGraphs(TEXT).graphs);
  const options = { prompt: PROMPT, draft: [], tokensMax: 20, timestamps: null, temperature: 0, random: () => 0 };
  const audio = await graphs.encode(new Float32Array(0), 0, 0);
  const limited = totalMin === undefined ? options : { ...options, totalMin };
  return decodeTokens(graphs, scriptedTokenizer, audio, limited, () => undefined);
};

test('a text is decoded to its end, even if improbable', async () => {
  const { tokens, ending, averageLogProbability } = await read();
  assert.deepEqual(tokens, TEXT);
  assert.equal(ending, 'end');
  assert.equal(averageLogProbability, -1);
});

test('decoding stops as soon as it is less probable than required', async () => {
  const { tokens, ending } = await read(-2.5);
  assert.deepEqual(tokens, [1, 2]);
  assert.equal(ending, 'cap');
});

test('the first words are decoded while their average can still reach the minimum', async () => {
  const words = Array.from({ length: 30 }, (_, nth) => nth);
  const beginningOf = async (averageMin: number) => {
    const graphs = doubtful(scriptedGraphs(words).graphs);
    const tokenizer = { ...scriptedTokenizer, transcribe: PROMPT[2], decode: (tokens: number[]) => tokens.join(' ') };
    const whisper = { id: 'scripted', graphs, tokenizer } as unknown as Whisper;
    const audio = await graphs.encode(new Float32Array(0), 0, 0);
    return transcribeBeginning(whisper, audio, 'en', averageMin, () => undefined);
  };
  const { text, decodedShare } = await beginningOf(-1);
  assert.equal(text.split(' ').length, 24);
  assert.equal(decodedShare, 1);
  // Six times −1 is less than 25 times −0.2, whatever follows.
  const givenUp = await beginningOf(-0.2);
  assert.equal(givenUp.text, '0 1 2 3 4');
  assert.ok(Math.abs(givenUp.decodedShare - 6 / 25) < 1e-9);
});
