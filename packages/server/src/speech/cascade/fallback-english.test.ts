import assert from 'node:assert/strict';
import test from 'node:test';
import type { SpeechWindow } from '../recogniser.ts';
import { fixedModel, tierModels } from '../testing/fixed-model.ts';
import { windowOf } from '../testing/recogniser-fixtures.ts';
import { recogniseWith } from './recognise.ts';
import { TIERS } from './tiers.ts';

const recognise = async (
  english: { readonly text: string; readonly average: number },
  fallback: string | { readonly text: string; readonly average: number },
  options: Partial<Pick<SpeechWindow, 'wantWordTimes' | 'language' | 'languages' | 'languageHint'>> = {},
  seconds = 4,
) => {
  const first = fixedModel(english.text, english.average);
  const heard = typeof fallback === 'string' ? { text: fallback, average: -0.1 } : fallback;
  const [second, multilingual] = [fixedModel(heard.text, heard.average), fixedModel('Read by Whisper.')];
  const others = { fallbackEnglish: second.made };
  const models = tierModels(TIERS['svc-1.0-lite'], first.made, multilingual.made, others);
  const window = windowOf({ tier: 'svc-1.0-lite', samples: new Float32Array(16_000 * seconds), ...options });
  const recognition = await recogniseWith(models, window, () => undefined);
  return { recognition, fallback: second.asked, multilingual: multilingual.asked };
};

const unsure = { text: 'we met at the new station', average: -0.4 };

test('text that the first model is sure of is used alone', async () => {
  const { recognition, fallback } = await recognise({ ...unsure, average: -0.1 }, 'never asked');
  assert.equal(recognition.text, 'we met at the new station');
  assert.equal(fallback.length, 0);
});

test('unsure text is merged with that of another English model, and no larger model is asked', async () => {
  for (const wantWordTimes of [false, true]) {
    const options = { wantWordTimes };
    const { recognition, fallback, multilingual } = await recognise(unsure, 'We met at a new station.', options);
    assert.equal(recognition.text, 'We met at a new station.');
    assert.equal(recognition.languages[0]?.language, 'en');
    assert.equal(recognition.words.length, wantWordTimes ? 6 : 0);
    assert.equal(fallback[0]?.draft, unsure.text);
    assert.equal(multilingual.length, 0);
  }
});

test('two texts with few words in common are left to the larger model', async () => {
  const { recognition, fallback, multilingual } = await recognise(unsure, 'Wie mit dem neuen Zug.');
  assert.equal(recognition.text, 'Read by Whisper.');
  assert.equal(fallback.length, 1);
  assert.equal(multilingual.length, 1);
});

test('where English is expected, other words that the other English model is sure of replace the text', async () => {
  const heard = 'Wear mitts at the new zoo.';
  const sure = await recognise(unsure, heard, { language: 'en' });
  assert.deepEqual([sure.recognition.text, sure.multilingual.length], [heard, 0]);
  const lessSure = await recognise(unsure, { text: heard, average: -0.3 }, { language: 'en' });
  assert.equal(lessSure.multilingual.length, 1);
  const unexpected = await recognise(unsure, heard, { language: null });
  assert.equal(unexpected.multilingual.length, 1);
});

test('where only English may be spoken, no larger model is asked unless the other one fails too', async () => {
  const onlyEnglish = { languages: ['en'] };
  const other = { text: 'Wear mitts at the new zoo.', average: -0.3 };
  const surer = await recognise({ ...unsure, average: -0.8 }, other, onlyEnglish);
  assert.deepEqual([surer.recognition.text, surer.multilingual.length], ['Wear mitts at the new zoo.', 0]);
  const less = await recognise({ ...unsure, average: -0.6 }, { text: 'Wear mitts.', average: -1 }, onlyEnglish);
  assert.deepEqual([less.recognition.text, less.multilingual.length], [unsure.text, 0]);
  const neither = await recognise(unsure, '', onlyEnglish);
  assert.deepEqual([neither.recognition.text, neither.multilingual.length], ['Read by Whisper.', 1]);
  const german = await recognise(unsure, other, { languages: ['en', 'de'] });
  assert.equal(german.multilingual.length, 1);
});

test('text that the other model finds improbable confirms nothing', async () => {
  const { recognition } = await recognise(unsure, { text: 'We met at the new station.', average: -0.9 });
  assert.equal(recognition.text, 'Read by Whisper.');
});

test('speech that is probably not English is not read by another English model', async () => {
  const improbable = await recognise({ ...unsure, average: -0.7 }, 'we met at the new station', { language: null });
  assert.equal(improbable.fallback.length, 0);
  const hinted = await recognise(unsure, 'we met at the new station', { language: null, languageHint: 'de' });
  assert.equal(hinted.fallback.length, 0);
  const believed = await recognise({ ...unsure, average: -0.7 }, 'we met at the new station', { language: 'en' });
  assert.equal(believed.fallback.length, 1);
});

test('a short window in an unknown language is read once more, by the model that also detects the language', async () => {
  const short = await recognise(unsure, unsure.text, { language: null }, 2);
  assert.deepEqual([short.fallback.length, short.multilingual.length], [0, 1]);
  for (const known of [{ language: 'en' }, { language: null, languages: ['en'] }])
    assert.equal((await recognise(unsure, unsure.text, known, 2)).fallback.length, 1);
});
