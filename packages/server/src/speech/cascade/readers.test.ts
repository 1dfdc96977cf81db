import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcousticModel, Hypothesis } from '../acoustic/acoustic-model.ts';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import type { TierModels } from './load-models.ts';
import { recogniseWith } from './recognise.ts';
import { TIERS } from './tiers.ts';

/** A model that writes one text; it counts how often it encoded. */
const model = (text: string, { language = 'en', average = -0.05 } = {}) => {
  const counts = { encoded: 0, transcribed: 0 };
  const hypothesis: Hypothesis = {
    text,
    averageLogProbability: average,
    noSpeechProbability: 0,
    degenerate: false,
    stoppedEarly: false,
    tokens: [],
    logProbabilities: [],
  };
  const words = () =>
    text.split(' ').map((word) => ({ text: word, startMs: 0, endMs: 0, confidence: Math.exp(average) }));
  const speech = {
    transcribe: async () => {
      counts.transcribed += 1;
      return hypothesis;
    },
    words,
    wordTimes: async () => words(),
    detectLanguage: async () => new Map([[language, 0.97]]),
  };
  const encode = async () => {
    counts.encoded += 1;
    return speech;
  };
  const made = { id: text, languages: new Set(['en', 'de', 'fr']), detectsLanguage: true, encode };
  return { counts, made: made as unknown as TierModels['multilingual'] };
};

const GERMAN = 'Wir treffen uns morgen um acht Uhr vor dem Bahnhof';
const FRENCH = 'Nous nous retrouvons demain matin devant la gare';
const ENGLISH = 'We will meet tomorrow morning in front of the station';

const setUp = (heard: string, language: string, { english = ENGLISH, average = -2 } = {}) => {
  const reader = model(heard);
  const fast = model(english, { average });
  const whisper = model('whisper was asked', { language });
  const models: TierModels = {
    tier: { ...TIERS['svc-1.0-max'], secondEnglish: null },
    english: fast.made,
    secondEnglish: null,
    fallbackEnglish: null,
    multilingual: whisper.made,
    detector: whisper.made,
    secondDetector: whisper.made,
    readers: new Map<string, AcousticModel>(['en', 'de', 'fr'].map((each) => [each, reader.made])),
  };
  const recognise = (believed: string | null, languages?: readonly string[]) =>
    recogniseWith(
      models,
      windowOf({ tier: 'svc-1.0-max', language: believed, ...(languages && { languages }) }),
      () => undefined,
    );
  return { recognise, reader: reader.counts, fast: fast.counts, whisper: whisper.counts };
};

test('in a believed language, its reader is the only model that runs', async () => {
  const { recognise, reader, fast, whisper } = setUp(GERMAN, 'de');
  const { text, languages } = await recognise('de');
  assert.equal(text, GERMAN);
  assert.equal(languages[0]?.language, 'de');
  assert.deepEqual([reader.encoded, fast.encoded, whisper.encoded], [1, 0, 0]);
});

test('a text in another language than the believed one is decided anew, and read in that language', async () => {
  const { recognise, whisper } = setUp(FRENCH, 'fr');
  const { text, languages } = await recognise('de');
  assert.equal(text, FRENCH);
  assert.equal(languages[0]?.language, 'fr');
  assert.equal(whisper.transcribed, 0);
});

test('while the language is unknown, it is detected first', async () => {
  const { recognise, whisper } = setUp(GERMAN, 'de', { english: 'veer treffen owns' });
  const { text, languages } = await recognise(null);
  assert.equal(text, GERMAN);
  assert.equal(languages[0]?.language, 'de');
  assert.deepEqual([whisper.encoded, whisper.transcribed], [1, 0]);
});

test('English that the fast model is sure of is read by the reader of English', async () => {
  const { recognise, reader, whisper } = setUp(ENGLISH, 'en', { english: 'we will meat tomorrow', average: -0.05 });
  assert.equal((await recognise(null)).text, ENGLISH);
  assert.deepEqual([reader.encoded, whisper.encoded], [1, 0]);
});

test('where a reader hears nothing, the other models are asked', async () => {
  const { recognise, reader } = setUp('', 'de');
  assert.equal((await recognise('de')).text, 'whisper was asked');
  assert.equal(reader.encoded, 1);
});

test('without English on the list, the English model is not asked; a single language is not checked', async () => {
  const listed = setUp(GERMAN, 'de', { average: -0.05 });
  assert.equal((await listed.recognise(null, ['de', 'fr'])).languages[0]?.language, 'de');
  assert.deepEqual([listed.fast.encoded, listed.whisper.encoded], [0, 1]);
  const single = setUp(FRENCH, 'fr');
  const { text, languages } = await single.recognise(null, ['de']);
  assert.equal(text, FRENCH);
  assert.deepEqual(languages, [{ language: 'de', probability: 1 }]);
  assert.deepEqual([single.reader.encoded, single.fast.encoded, single.whisper.encoded], [1, 0, 0]);
});
