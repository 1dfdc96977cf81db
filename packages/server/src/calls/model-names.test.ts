import assert from 'node:assert/strict';
import test from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { ModelNames } from './model-names.ts';

test('names of other services stand for tiers, and ours for themselves', () => {
  const names = new ModelNames([], MODEL_IDS);
  assert.equal(names.tierOf('whisper-1'), 'svc-1.0-max');
  assert.equal(names.tierOf('gpt-4o-mini-transcribe-2025-12-15'), 'svc-1.0-pro');
  assert.equal(names.tierOf('nova-2-meeting'), 'svc-1.0-max');
  assert.equal(names.tierOf('nova'), 'svc-1.0-lite');
  assert.equal(names.tierOf('SVC-1.0-lite'), 'svc-1.0-lite');
  assert.equal(names.tierOf('gpt-4o'), null);
  assert.equal(names.tierOf(''), null);
});

test("the operator's table comes first", () => {
  const names = new ModelNames(
    [
      ['whisper-1', 'svc-1.0-lite'],
      ['my-model*', 'svc-1.0-pro'],
    ],
    MODEL_IDS,
  );
  assert.equal(names.tierOf('whisper-1'), 'svc-1.0-lite');
  assert.equal(names.tierOf('my-model-2'), 'svc-1.0-pro');
  assert.ok(names.listed.includes('my-model'));
});

test('a tier that is not loaded is stood in for, unless it was asked for by its name', () => {
  const names = new ModelNames([], ['svc-1.0-lite']);
  assert.equal(names.tierOf('whisper-1'), 'svc-1.0-lite');
  assert.equal(names.tierOf('svc-1.0-max'), 'svc-1.0-max');
});

test('every name in the list is one that is taken', () => {
  const names = new ModelNames([], MODEL_IDS);
  assert.ok(names.listed.length > MODEL_IDS.length);
  for (const name of names.listed) assert.notEqual(names.tierOf(name), null, name);
});
