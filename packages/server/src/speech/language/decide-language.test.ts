import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MultilingualModel } from '../acoustic/acoustic-model.ts';
import { said } from '../testing/english-fixtures.ts';
import { decideLanguage } from './decide-language.ts';
import type { EnglishHypothesis } from './english-evidence.ts';
import type { LanguagePrior } from './prior.ts';

/** A model with fixed probabilities that counts its calls, and writes the same text in every language. */
const modelOf = (id: string, guess: Readonly<Record<string, number>>) => {
  const counts = { encoded: 0, detected: 0, decoded: 0 };
  const speech = {
    detectLanguage: async () => {
      counts.detected += 1;
      return new Map(Object.entries(guess));
    },
    transcribeBeginning: async () => {
      counts.decoded += 1;
      return { text: 'xyz', averageLogProbability: -0.5, decodedShare: 1, isLoop: false };
    },
  };
  const encode = async () => {
    counts.encoded += 1;
    return speech;
  };
  return { counts, model: { id, encode } as unknown as MultilingualModel };
};

const decide = (
  multilingual: MultilingualModel,
  detector: MultilingualModel,
  secondDetector: MultilingualModel,
  prior: Partial<LanguagePrior> = {},
  isBrief = false,
  english: EnglishHypothesis | null = null,
) =>
  decideLanguage({
    samples: new Float32Array(16_000),
    multilingual,
    detector,
    secondDetector,
    isBrief,
    prior: { belief: null, hint: null, ...prior },
    english,
    englishNeutral: -0.5,
    checkpoint: () => undefined,
  });

test('a confident detector is asked alone', async () => {
  const small = modelOf('small', { nl: 0.9, de: 0.1 });
  const base = modelOf('base', { de: 1 });
  const { language, model } = await decide(small.model, small.model, base.model);
  assert.equal(language, 'nl');
  assert.equal(model, small.model);
  assert.equal(base.counts.encoded, 0);
});

test('an unsure detector is pooled with a second one, and the better model transcribes', async () => {
  const small = modelOf('small', { de: 0.5, nl: 0.45, fr: 0.05 });
  const base = modelOf('base', { nl: 0.97, de: 0.02, fr: 0.01 });
  const { language, model } = await decide(small.model, small.model, base.model);
  assert.equal(language, 'nl');
  assert.equal(model, small.model);
  assert.equal(base.counts.encoded, 1);
  assert.equal(small.counts.decoded, 0);
});

test('when both are unsure, texts are compared', async () => {
  const small = modelOf('small', { de: 0.5, fr: 0.5 });
  const base = modelOf('base', { de: 0.6, fr: 0.4 });
  assert.equal((await decide(small.model, small.model, base.model)).language, 'de');
  assert.equal(small.counts.decoded, 2);
});

test('a likely text of the English model is used for English', async () => {
  const decideWith = async (averageLogProbability: number) => {
    const small = modelOf('small', { en: 0.5, de: 0.5 });
    const base = modelOf('base', { en: 0.4, de: 0.6 });
    const english = said(averageLogProbability, 'When the old churchyards yawn.');
    const { language, beginning } = await decide(small.model, small.model, base.model, {}, false, english);
    return { language, beginning, decoded: small.counts.decoded };
  };
  assert.deepEqual(await decideWith(-0.49), {
    language: 'en',
    beginning: 'When the old churchyards yawn.',
    decoded: 1,
  });
  assert.equal((await decideWith(-0.6)).decoded, 2);
});

test('a smaller model that was asked first is not asked again', async () => {
  const base = modelOf('base', { nl: 0.8, de: 0.2 });
  const small = modelOf('small', { de: 0.55, nl: 0.45 });
  assert.equal((await decide(base.model, small.model, base.model)).language, 'nl');
  assert.equal(base.counts.encoded, 1);
  const sure = modelOf('base', { nl: 0.95, de: 0.05 });
  const { model } = await decide(sure.model, small.model, sure.model);
  assert.equal(model, sure.model);
  assert.equal(small.counts.encoded, 1);
});

test('a tier that transcribes with a smaller model compares fewer texts', async () => {
  const guess = { de: 0.3, nl: 0.25, sv: 0.2, da: 0.15, no: 0.1 };
  const [small, base] = [modelOf('small', guess), modelOf('base', guess)];
  await decide(base.model, small.model, base.model);
  assert.equal(small.counts.decoded, 3);
  const both = modelOf('small', guess);
  await decide(both.model, both.model, base.model);
  assert.ok(both.counts.decoded > 3);
});

test('languages with the most training data are weighted down', async () => {
  const small = modelOf('small', { ru: 0.85, lv: 0.15 });
  const base = modelOf('base', { ru: 0.85, lv: 0.15 });
  const shareIn = async (multilingual: MultilingualModel, belief: string | null = null) =>
    (await decide(multilingual, small.model, base.model, { belief })).languages.get('ru')!;
  assert.ok((await shareIn(small.model)) < 0.8);
  // But not if English is established or a smaller model transcribes: more windows would need a comparison.
  assert.ok(Math.abs((await shareIn(small.model, 'en')) - 0.85) < 1e-9);
  assert.ok(Math.abs((await shareIn(base.model)) - 0.85) < 1e-9);
});

test('only allowed languages are detected, however improbable they are', async () => {
  const small = modelOf('small', { nl: 0.9, de: 0.04, sv: 0.002 });
  const base = modelOf('base', { nl: 1 });
  const ask = (allowed: readonly string[], belief: string | null = null) =>
    decide(small.model, small.model, base.model, { allowed: new Set(allowed), belief });
  const { language, languages } = await ask(['de', 'sv']);
  assert.equal(language, 'de');
  assert.deepEqual([...languages.keys()], ['de', 'sv']);
  assert.equal(base.counts.encoded, 0);
  assert.equal((await ask(['de', 'sv'], 'sv')).language, 'de');
});

test('unclear speech in a listed language is decoded once, and not at all if a smaller model transcribes', async () => {
  const small = modelOf('small', { de: 0.5, nl: 0.45, fr: 0.05 });
  const base = modelOf('base', { de: 0.5, nl: 0.45, fr: 0.05 });
  const prior = { allowed: new Set(['de', 'nl']) };
  assert.equal((await decide(small.model, small.model, base.model, prior)).beginning, 'xyz');
  assert.equal(small.counts.decoded, 1);
  assert.equal((await decide(base.model, small.model, base.model, prior)).beginning, '');
  assert.equal(small.counts.decoded + base.counts.decoded, 1);
});

test('a single allowed language is not detected', async () => {
  const small = modelOf('small', { nl: 0.9, de: 0.1 });
  const base = modelOf('base', { nl: 1 });
  const { language, languages } = await decide(base.model, small.model, small.model, { allowed: new Set(['sv']) });
  assert.equal(language, 'sv');
  assert.deepEqual([...languages], [['sv', 1]]);
  assert.deepEqual([base.counts.encoded, base.counts.detected, small.counts.encoded], [1, 0, 0]);
});

test('for a brief window only the model that transcribes is asked, and nothing is decoded', async () => {
  const base = modelOf('base', { de: 0.4, nl: 0.35, en: 0.25 });
  const small = modelOf('small', { nl: 1 });
  const { language, model } = await decide(base.model, small.model, base.model, {}, true);
  assert.equal(language, 'de');
  assert.equal(model, base.model);
  assert.deepEqual(base.counts, { encoded: 1, detected: 1, decoded: 0 });
  assert.equal(small.counts.encoded, 0);
});
