import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { isEngineModelId } from '../model-files.ts';
import { englishProbability, evidenceOfEnglish, isTrusted, mayBeEnglish, settleEnglish } from './english-trust.ts';
import { modelsFor, TIERS } from './tiers.ts';

const onAverage = (logProbabilityMin: number) => ({ logProbabilityMin, doubtfulBelow: 0.5, doubtfulShareMax: 0.25 });
const trust = { believed: onAverage(-0.5), unknown: onAverage(-0.25), hintedOther: onAverage(-0.1) };
const sure = [0.9, 0.9, 0.9, 0.9].map((confidence) => ({ confidence }));
const said = (averageLogProbability: number, text = 'Hello there again, you.', degenerate = false) => ({
  text,
  averageLogProbability,
  degenerate,
  isLost: false,
  words: text === '' ? [] : sure,
});

test('English is trusted the more the session speaks for it', () => {
  assert.equal(isTrusted(said(-0.4), { belief: 'en', hint: null }, trust), true);
  assert.equal(isTrusted(said(-0.4), { belief: null, hint: null }, trust), false);
  assert.equal(isTrusted(said(-0.2), { belief: null, hint: null }, trust), true);
  assert.equal(isTrusted(said(-0.2), { belief: null, hint: 'de' }, trust), false);
  assert.equal(isTrusted(said(-0.2), { belief: null, hint: 'en' }, trust), true);
});

test('too many doubtful words ask for a second opinion, however good the average', () => {
  const withDoubtful = (count: number) => ({
    ...said(-0.1),
    words: sure.with(0, { confidence: 0.3 }).with(count, { confidence: 0.3 }),
  });
  assert.equal(isTrusted(withDoubtful(0), { belief: null, hint: null }, trust), true);
  assert.equal(isTrusted(withDoubtful(1), { belief: null, hint: null }, trust), false);
});

test('what the English model was sure of speaks for English, what it was lost in against it', () => {
  assert.ok(evidenceOfEnglish(said(-0.1), -0.5) > 10);
  assert.equal(evidenceOfEnglish(said(-0.5), -0.5), 1);
  const lost = evidenceOfEnglish(said(-1.5), -0.5);
  assert.ok(lost < 1 && lost > 0.4);
  assert.equal(evidenceOfEnglish({ ...said(-1.5, 'a beginning', true), isLost: true }, -0.5), lost);
  assert.equal(evidenceOfEnglish(said(-0.1, ''), -0.5), 1);
  assert.equal(evidenceOfEnglish(null, -0.5), 1);
  assert.equal(mayBeEnglish(said(-0.3)), true);
  assert.equal(mayBeEnglish(said(-0.9)), false);
  assert.equal(mayBeEnglish(null), false);
});

test('empty and looping text is never trusted', () => {
  assert.equal(isTrusted(said(0, ''), { belief: 'en', hint: null }, trust), false);
  assert.equal(isTrusted(said(0, 'ha ha ha', true), { belief: 'en', hint: null }, trust), false);
});

test('two good readings are merged, and a usable one goes before any other', () => {
  assert.equal(settleEnglish(said(-0.3), said(-0.9)), 'both');
  assert.equal(settleEnglish(said(-0.6), said(-0.3)), 'whisper');
  assert.equal(settleEnglish(said(-0.6), said(-1.2)), 'moonshine');
  assert.equal(settleEnglish(said(-0.1, ''), said(-0.9)), 'whisper');
  assert.equal(settleEnglish(said(-0.9), said(-0.1, 'x', true)), 'moonshine');
});

test('the probability of English stays within bounds', () => {
  assert.equal(englishProbability(-9), 0.5);
  assert.ok(englishProbability(-0.1) > 0.9 && englishProbability(0) < 1);
});

test('every tier names models that the engine has, each loaded once', () => {
  for (const id of MODEL_IDS) assert.ok(isEngineModelId(TIERS[id].english) && isEngineModelId(TIERS[id].multilingual));
  assert.deepEqual(modelsFor(['svc-1.0-pro', 'svc-1.0-max']), ['moonshine-base', 'whisper-small']);
});
