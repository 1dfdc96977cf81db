import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTokens } from './decode.ts';
import type { WhisperModel } from './model.ts';
import { PROMPT, saying, scriptedTokenizer } from './testing/scripted-whisper.ts';
import { readBeginning, type Whisper } from './transcribe.ts';

const TEXT = [1, 2, 3, 4, 5];

/** Every token of it has the log-probability −1. */
const doubtful = ({ decode, ...model }: WhisperModel): WhisperModel => ({
  ...model,
  async decode(...given) {
    const step = await decode(...given);
    return { ...step, rows: step.rows.map(({ logits }) => ({ logits, logSum: 10 })) };
  },
});

const read = async (totalMin?: number) => {
  const model = doubtful(saying(TEXT).model);
  const options = { prompt: PROMPT, draft: [], tokensMax: 20, timestamps: null, temperature: 0, random: () => 0 };
  const audio = await model.encode(new Float32Array(0), 0);
  const limited = totalMin === undefined ? options : { ...options, totalMin };
  return decodeTokens(model, scriptedTokenizer, audio, limited, () => undefined);
};

test('a text is read to its end, however improbable', async () => {
  const { tokens, ending, averageLogProbability } = await read();
  assert.deepEqual(tokens, TEXT);
  assert.equal(ending, 'end');
  assert.equal(averageLogProbability, -1);
});

test('a reading is given up as soon as it is less probable than asked', async () => {
  const { tokens, ending } = await read(-2.5);
  assert.deepEqual(tokens, [1, 2]);
  assert.equal(ending, 'cap');
});

test('the first words are read as long as their average can reach the least', async () => {
  const words = Array.from({ length: 30 }, (_, nth) => nth);
  const beginningOf = async (averageMin: number) => {
    const model = doubtful(saying(words).model);
    const tokenizer = { ...scriptedTokenizer, transcribe: PROMPT[2], decode: (tokens: number[]) => tokens.join(' ') };
    const whisper = { id: 'scripted', model, tokenizer } as unknown as Whisper;
    const audio = await model.encode(new Float32Array(0), 0);
    return readBeginning(whisper, audio, 'en', averageMin, () => undefined);
  };
  const { text, readShare } = await beginningOf(-1);
  assert.equal(text.split(' ').length, 24);
  assert.equal(readShare, 1);
  // Six times −1 is less than 25 times −0.2 however good the rest.
  const givenUp = await beginningOf(-0.2);
  assert.equal(givenUp.text, '0 1 2 3 4');
  assert.ok(Math.abs(givenUp.readShare - 6 / 25) < 1e-9);
});
