import assert from 'node:assert/strict';
import test from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { readCatalogue } from './catalogue.ts';
import { neededModels } from './needed.ts';

test('every model is listed once, and every file has a source', () => {
  const catalogue = readCatalogue();
  assert.equal(new Set(catalogue.map(({ id }) => id)).size, catalogue.length);
  for (const model of catalogue) {
    for (const { name, npmPath, hubPath, url } of model.files) {
      const places = [model.npm && npmPath, model.hub && hubPath, url].filter(Boolean);
      assert.ok(places.length > 0, `${model.id}/${name} has no source`);
    }
  }
});

test('the models of the tiers are on npm, with checked pins', () => {
  for (const id of neededModels(MODEL_IDS)) {
    const model = readCatalogue().find((candidate) => candidate.id === id);
    assert.equal(model?.pins, 'checked');
    assert.ok(model?.npm);
  }
});
