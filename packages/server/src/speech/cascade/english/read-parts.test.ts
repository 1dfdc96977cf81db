import assert from 'node:assert/strict';
import test from 'node:test';
import type { AcousticModel, Hypothesis, MultilingualModel } from '../../acoustic/acoustic-model.ts';
import type { SpeechWindow } from '../../recogniser.ts';
import { tierModels } from '../../testing/fixed-model.ts';
import { windowOf } from '../../testing/recogniser-fixtures.ts';
import { recogniseWith } from '../recognise.ts';
import { TIERS } from '../tiers.ts';

const RATE = 16_000;
const SECONDS = 20;

/** A model that reads one word per second and records its requests. */
const model = (textOf: (seconds: number) => string, language = 'en') => {
  const asked: { seconds: number; precedingText?: string; draft?: string }[] = [];
  const wordsOf = ({ text }: Hypothesis) =>
    text.split(' ').map((word, i) => ({ text: word, startMs: i * 1000, endMs: i * 1000 + 800, confidence: 0.9 }));
  const encode = async (samples: Float32Array) => {
    const seconds = samples.length / RATE;
    return {
      transcribe: async ({ precedingText = '', draft = '' }: { precedingText?: string; draft?: string }) => {
        asked.push({ seconds, precedingText, draft });
        return {
          text: textOf(seconds),
          averageLogProbability: -0.15,
          noSpeechProbability: 0,
          degenerate: false,
          stoppedEarly: false,
          tokens: [1],
          logProbabilities: [-0.15],
        };
      },
      words: wordsOf,
      wordTimes: async (hypothesis: Hypothesis) => wordsOf(hypothesis),
      detectLanguage: async () => new Map([[seconds < SECONDS ? language : 'en', 0.99]]),
    };
  };
  const made = { languages: new Set(['en', 'de']), detectsLanguage: true, encode };
  return { asked, made: made as unknown as AcousticModel & MultilingualModel };
};

const LETTERS = 'a b c d e f g h i j k l m n o p q r s t';
const without = (letter: string, word: string) => LETTERS.replace(letter, word);

const recognise = async (
  second: string,
  partText: string | ((seconds: number) => string),
  window: Partial<SpeechWindow> = {},
  { language = 'en' } = {},
) => {
  const textOf = typeof partText === 'string' ? () => partText : partText;
  const small = model((seconds) => (seconds < SECONDS ? textOf(seconds) : without('l', 'whole')), language);
  const others = { secondEnglish: model(() => second).made };
  const models = tierModels(TIERS['svc-1.0-max'], model(() => LETTERS).made, small.made, others);
  const samples = new Float32Array(SECONDS * RATE);
  const pausePositions = [3.9, 9.9, 13.9, 17.9].map((seconds) => seconds * RATE);
  const asked = windowOf({ tier: 'svc-1.0-max', samples, pausePositions, language: 'en', ...window });
  return { recognition: await recogniseWith(models, asked, () => undefined), small: small.asked };
};

test('only the part where two hypotheses differ is read again, with the words before it as context', async () => {
  const { recognition, small } = await recognise(without('l', 'X'), 'k X m n', { wantWordTimes: true });
  assert.deepEqual(small, [{ seconds: 4, precedingText: 'a b c d e f g h i j', draft: 'k l m n' }]);
  assert.equal(recognition.text, without('l', 'X'));
  assert.equal(recognition.languages[0]?.language, 'en');
  const times = recognition.words.map(({ startMs }) => startMs);
  assert.equal(times.length, SECONDS);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test('two parts are read, each with the elected words before it as context', async () => {
  const partText = (seconds: number) => (seconds < 4 ? 'a X c d' : 'o Y q r');
  const { recognition, small } = await recognise(without('b', 'Z').replace('p', 'Y'), partText);
  assert.deepEqual(small, [
    { seconds: 3.9, precedingText: '', draft: 'a b c d' },
    { seconds: 4, precedingText: 'a X c d e f g h i j k l m n', draft: 'o p q r' },
  ]);
  assert.equal(recognition.text, without('b', 'X').replace('p', 'Y'));
});

test('the whole window is read when the parts are most of it, or there is no pause', async () => {
  const wide = await recognise('a X c d e f g Y i j k Z m n o p q r W t', 'never read');
  const unbroken = await recognise(without('l', 'X'), 'never read', { pausePositions: [] });
  for (const { small } of [wide, unbroken])
    assert.deepEqual(
      small.map(({ seconds }) => seconds),
      [SECONDS],
    );
});

test('a part in another language, or without readable text, is read with the whole window', async () => {
  const foreign = await recognise(without('l', 'X'), 'k l m n', {}, { language: 'de' });
  const empty = await recognise(without('l', 'X'), '');
  for (const { recognition, small } of [foreign, empty]) {
    assert.equal(small.at(-1)?.seconds, SECONDS);
    assert.equal(recognition.languages[0]?.language, 'en');
  }
});
