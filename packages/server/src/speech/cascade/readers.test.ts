import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcousticModel } from '../acoustic/acoustic-model.ts';
import { fixedModel, tierModels } from '../testing/fixed-model.ts';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import { recogniseWith } from './recognise.ts';
import { TIERS } from './tiers.ts';

const GERMAN = 'Wir treffen uns morgen um acht Uhr vor dem Bahnhof';
const FRENCH = 'Nous nous retrouvons demain matin devant la gare';
const ENGLISH = 'We will meet tomorrow morning in front of the station';

const setUp = (heard: string, language: string, { english = ENGLISH, average = -2 } = {}) => {
  const reader = fixedModel(heard);
  const fast = fixedModel(english, average);
  const whisper = fixedModel('whisper was asked', -0.1, { language });
  const tier = { ...TIERS['svc-1.0-max'], secondEnglish: null };
  const readers = new Map<string, AcousticModel>(['en', 'de', 'fr'].map((each) => [each, reader.made]));
  const models = tierModels(tier, fast.made, whisper.made, { readers });
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

test('if the text is not in the believed language, the language is decided again and its reader is used', async () => {
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

test('if a reader hears nothing, the other models are asked', async () => {
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
