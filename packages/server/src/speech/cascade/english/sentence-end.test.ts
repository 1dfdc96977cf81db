import assert from 'node:assert/strict';
import test from 'node:test';
import type { AcousticModel, TranscribeOptions } from '../../acoustic/acoustic-model.ts';
import type { Recognition } from '../../recogniser.ts';
import { sentenceEnd } from './sentence-end.ts';

const SAMPLES = Float32Array.from({ length: 32_000 }, (_, at) => at);
const checkpoint = (): void => undefined;

const recognition = (text: string, markProbability: number, language = 'en'): Recognition => ({
  text,
  words: text.split(' ').map((word) => ({ text: word, startMs: 0, endMs: 100, confidence: 1, markProbability })),
  languages: [{ language, probability: 1 }],
  languageChange: null,
  averageLogProbability: 0,
});

/** A model that continues after the given text; each of its marks has this probability. */
const continuing = (markProbability: number, write = (given: string): string => `${given} And so`) => {
  const heard: Float32Array[] = [];
  const model: Pick<AcousticModel, 'encode'> = {
    async encode(samples) {
      heard.push(samples);
      return {
        transcribe: async ({ committedText = '' }: TranscribeOptions) => ({
          text: write(committedText),
          averageLogProbability: 0,
          noSpeechProbability: 0,
          degenerate: false,
          stoppedEarly: false,
          tokens: [],
          logProbabilities: [],
        }),
        words: ({ text }) =>
          text.split(' ').map((word) => ({ text: word, startMs: 0, endMs: 0, confidence: 1, markProbability })),
        wordTimes: async () => [],
      };
    },
  };
  return { model: model as AcousticModel, heard };
};

const asked = (read: Recognition, { model }: ReturnType<typeof continuing>) =>
  sentenceEnd(model, { samples: SAMPLES }, read, checkpoint);

test('the model is asked about the full stop as if the speech began again after the pause', async () => {
  const model = continuing(0.1);
  assert.equal(await asked(recognition('We went home.', 0.95), model), 0.1);
  const [heard] = model.heard;
  assert.equal(heard?.length, 48_000);
  assert.deepEqual(heard?.slice(0, 32_000), SAMPLES);
  assert.deepEqual(heard?.slice(32_000), SAMPLES.slice(0, 16_000));
});

test('only the last words of a long window are read again', async () => {
  const model = continuing(0.1);
  const samples = Float32Array.from({ length: 160_000 }, (_, at) => at);
  const { words, ...read } = recognition('We went home. Then we slept.', 0.95);
  const timed = words.map((word, nth) => ({ ...word, startMs: 1_000 * nth, endMs: 1_000 * nth + 500 }));
  assert.equal(await sentenceEnd(model.model, { samples }, { ...read, words: timed }, checkpoint), 0.1);
  const [heard] = model.heard;
  assert.equal(heard?.[0], 1_900 * 16, 'from the first word of the last eight seconds');
  assert.equal(heard?.at(-1), 15_999);
});

test('the model is asked only about a probable full stop at the end of English text', async () => {
  const model = continuing(0.1);
  assert.equal(await asked(recognition('We went home.', 0.7), model), undefined);
  assert.equal(await asked(recognition('We went home', 0.95), model), undefined);
  assert.equal(await asked(recognition('Did we?', 0.95), model), undefined);
  assert.equal(await asked(recognition('I mean...', 0.95), model), undefined);
  assert.equal(await asked(recognition('Wir gingen heim.', 0.95, 'de'), model), undefined);
  assert.equal(await asked(recognition('', 0.95), model), undefined);
  assert.equal(model.heard.length, 0);
});

test('a model that writes a different text gives no answer', async () => {
  const model = continuing(0.9, () => 'They went home. And so');
  assert.equal(await asked(recognition('We went home.', 0.95), model), undefined);
});
