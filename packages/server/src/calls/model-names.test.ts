import assert from 'node:assert/strict';
import test from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { type ModelAlias, ModelNames } from './model-names.ts';

const ALIASES: readonly ModelAlias[] = [
  ['whisper-1', 'svc-1.0-max'],
  ['scribe-mini*', 'svc-1.0-pro'],
  ['nova-2*', 'svc-1.0-max'],
  ['nova*', 'svc-1.0-lite'],
];

test('model names of other services map to tiers, and tier names to themselves', () => {
  const names = new ModelNames(ALIASES, MODEL_IDS);
  assert.equal(names.tierOf('whisper-1'), 'svc-1.0-max');
  assert.equal(names.tierOf('scribe-mini-2'), 'svc-1.0-pro');
  assert.equal(names.tierOf('nova-2-meeting'), 'svc-1.0-max');
  assert.equal(names.tierOf('nova'), 'svc-1.0-lite');
  assert.equal(names.tierOf('SVC-1.0-lite'), 'svc-1.0-lite');
  assert.equal(names.tierOf('scribe'), null);
  assert.equal(names.tierOf(''), null);
});

test("the operator's table comes first", () => {
  const names = new ModelNames([['whisper-1', 'svc-1.0-lite'], ['my-model*', 'svc-1.0-pro'], ...ALIASES], MODEL_IDS);
  assert.equal(names.tierOf('whisper-1'), 'svc-1.0-lite');
  assert.equal(names.tierOf('my-model-2'), 'svc-1.0-pro');
  assert.ok(names.listed.includes('my-model'));
});

test('the best loaded tier replaces one that is not loaded, unless that tier was named directly', () => {
  const names = new ModelNames(ALIASES, ['svc-1.0-lite']);
  assert.equal(names.tierOf('whisper-1'), 'svc-1.0-lite');
  assert.equal(names.tierOf('svc-1.0-max'), 'svc-1.0-max');
});

test('every listed name is accepted', () => {
  const names = new ModelNames(ALIASES, MODEL_IDS);
  assert.ok(names.listed.length > MODEL_IDS.length);
  for (const name of names.listed) assert.notEqual(names.tierOf(name), null, name);
});
