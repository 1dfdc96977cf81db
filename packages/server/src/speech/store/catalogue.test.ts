import assert from 'node:assert/strict';
import test from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { MODEL_FILES } from '../model-files.ts';
import { readCatalogue } from './catalogue.ts';
import { neededModels } from './needed.ts';

test('every model is known once, and every file can be had from somewhere', () => {
  const catalogue = readCatalogue();
  assert.equal(new Set(catalogue.map(({ id }) => id)).size, catalogue.length);
  for (const model of catalogue) {
    for (const { name, npmPath, hubPath, url } of model.files) {
      const places = [model.npm && npmPath, model.hub && hubPath, url].filter(Boolean);
      assert.ok(places.length > 0, `${model.id}/${name} has no source`);
    }
  }
});

test('what the engine can run is in the catalogue, with the files it asks for', () => {
  const catalogue = readCatalogue();
  for (const [id, { files }] of Object.entries(MODEL_FILES)) {
    const names = catalogue.find((model) => model.id === id)?.files.map(({ name }) => name) ?? [];
    for (const { name } of files) assert.ok(names.includes(name), `${id}/${name} is not in the catalogue`);
  }
});

test('what the tiers need can be had from npm, with pins we checked ourselves', () => {
  for (const id of neededModels(MODEL_IDS)) {
    const model = readCatalogue().find((candidate) => candidate.id === id);
    assert.equal(model?.pins, 'checked');
    assert.ok(model?.npm);
  }
});
