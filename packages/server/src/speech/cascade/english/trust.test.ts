import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { isAcousticFamily } from '../../acoustic/families.ts';
import { readCatalogue } from '../../store/catalogue.ts';
import { said } from '../../testing/english-fixtures.ts';
import { tiersWith } from '../chosen-models.ts';
import { weightsFor } from '../tiers.ts';
import { chooseEnglish, isTrusted } from './trust.ts';

const onAverage = (logProbabilityMin: number) => ({ logProbabilityMin, doubtfulBelow: 0.5, doubtfulShareMax: 0.25 });
const trust = { believed: onAverage(-0.5), unknown: onAverage(-0.25), hintedOther: onAverage(-0.1) };

test('English is trusted more readily in an English session', () => {
  assert.equal(isTrusted(said(-0.4), { belief: 'en', hint: null }, trust), true);
  assert.equal(isTrusted(said(-0.4), { belief: null, hint: null }, trust), false);
  assert.equal(isTrusted(said(-0.2), { belief: null, hint: null }, trust), true);
  assert.equal(isTrusted(said(-0.2), { belief: null, hint: 'de' }, trust), false);
  assert.equal(isTrusted(said(-0.2), { belief: null, hint: 'en' }, trust), true);
});

test('too many doubtful words need a second opinion, whatever the average', () => {
  const withDoubtful = (count: number) => ({
    ...said(-0.1),
    words: said(0).words.with(0, { confidence: 0.3 }).with(count, { confidence: 0.3 }),
  });
  assert.equal(isTrusted(withDoubtful(0), { belief: null, hint: null }, trust), true);
  assert.equal(isTrusted(withDoubtful(1), { belief: null, hint: null }, trust), false);
});

test('empty and looping text is never trusted', () => {
  assert.equal(isTrusted(said(0, ''), { belief: 'en', hint: null }, trust), false);
  assert.equal(isTrusted(said(0, 'ha ha ha', true), { belief: 'en', hint: null }, trust), false);
});

test('two good hypotheses are merged; a usable one beats an unusable one', () => {
  assert.equal(chooseEnglish(said(-0.3), said(-0.9)), 'both');
  assert.equal(chooseEnglish(said(-0.6), said(-0.3)), 'multilingual');
  assert.equal(chooseEnglish(said(-0.6), said(-1.2)), 'english');
  assert.equal(chooseEnglish(said(-0.1, ''), said(-0.9)), 'multilingual');
  assert.equal(chooseEnglish(said(-0.9), said(-0.1, 'x', true)), 'english');
});

test('every tier uses suitable models of the catalogue, each loaded once', () => {
  const chosen = (model: string) => tiersWith({ 'svc-1.0-max': { '*': model } }, readCatalogue());
  const familyOf = (id: string) => readCatalogue().find((model) => model.id === id)?.family ?? '';
  for (const tier of MODEL_IDS) for (const id of weightsFor([tier])) assert.ok(isAcousticFamily(familyOf(id)), id);
  assert.deepEqual(weightsFor(['svc-1.0-max'], chosen('whisper-medium')), [
    'moonshine-base',
    'whisper-base.en',
    'whisper-medium',
  ]);
  // English only, so Whisper small remains for other languages.
  assert.deepEqual(weightsFor(['svc-1.0-max'], chosen('distil-large-v3')), [
    'moonshine-base',
    'distil-large-v3',
    'whisper-small',
    'whisper-base',
  ]);
  const lite = ['moonshine-base', 'whisper-base.en', 'whisper-base', 'whisper-small'];
  assert.deepEqual(weightsFor(['svc-1.0-lite']), lite);
  const both = ['moonshine-base', 'whisper-small', 'whisper-base', 'whisper-base.en'];
  assert.deepEqual(weightsFor(['svc-1.0-pro', 'svc-1.0-max']), both);
});
