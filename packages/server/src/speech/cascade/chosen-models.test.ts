import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MODEL_IDS } from '@faircopy/contract';
import { readCatalogue } from '../store/catalogue.ts';
import {
  type ChosenModels,
  configuredTiers,
  InvalidChoice,
  parseChoice,
  readChosenModels,
  tiersWith,
  withChoice,
  writeChosenModels,
} from './chosen-models.ts';
import { parseTiers, TIERS, weightsFor } from './tiers.ts';

const catalogue = readCatalogue();
const V3 = 'parakeet-tdt-0.6b-v3';
const choose = (...choices: string[]): ChosenModels =>
  choices.reduce((chosen, choice) => withChoice(chosen, parseChoice(choice)), {} as ChosenModels);

test('a choice names a tier, in full or in short, and a language', () => {
  assert.deepEqual(parseChoice('svc-1.0-max=a'), { tier: 'svc-1.0-max', language: null, model: 'a' });
  assert.deepEqual(parseChoice('max.de=a'), { tier: 'svc-1.0-max', language: 'de', model: 'a' });
  assert.deepEqual(parseChoice('svc-1.0-lite.yue=default'), { tier: 'svc-1.0-lite', language: 'yue', model: null });
  assert.deepEqual(parseChoice('speakers=a'), { speakers: 'a' });
  assert.deepEqual(parseChoice('speakers=default'), { speakers: null });
  for (const wrong of ['speakers', 'speakers.de=a', 'max', '=a', 'max=', 'best=a', 'max.german=a', 'max.=a', 'svc=a'])
    assert.throws(() => parseChoice(wrong), InvalidChoice, wrong);
});

test('a model takes the role that the catalogue gives it', () => {
  const { 'svc-1.0-max': max, 'svc-1.0-pro': pro } = tiersWith(choose(`max=${V3}`), catalogue);
  assert.equal(Object.keys(max.readers).length, 25);
  assert.equal(max.readers.uk, V3);
  assert.equal(max.multilingual, TIERS['svc-1.0-max'].multilingual);
  assert.deepEqual(pro, TIERS['svc-1.0-pro']);
  assert.ok(weightsFor(['svc-1.0-max'], tiersWith(choose(`max=${V3}`), catalogue)).includes(V3));

  const turbo = tiersWith(choose('pro=whisper-large-v3-turbo'), catalogue)['svc-1.0-pro'];
  assert.deepEqual([turbo.multilingual, turbo.detector], ['whisper-large-v3-turbo', 'whisper-large-v3-turbo']);
  assert.equal(tiersWith(choose('max=whisper-small.en'), catalogue)['svc-1.0-max'].secondEnglish, 'whisper-small.en');
  // pro has no second English model to vote with.
  assert.deepEqual(tiersWith(choose('pro=whisper-small.en'), catalogue)['svc-1.0-pro'].readers, {
    en: 'whisper-small.en',
  });
});

test('a language can have its own model', () => {
  const chosen = choose(`max=${V3}`, 'max.de=whisper-large-v3-turbo');
  const { readers } = tiersWith(chosen, catalogue)['svc-1.0-max'];
  assert.deepEqual([readers.de, readers.fr], ['whisper-large-v3-turbo', V3]);
  assert.equal(tiersWith(choose('max.de=x', 'max.de=default'), catalogue)['svc-1.0-max'].readers.de, undefined);
  assert.deepEqual(tiersWith(withChoice(chosen, parseChoice('max=default')), catalogue), TIERS);
});

test('live captions and the vote can have their own models, besides those for languages', () => {
  const chosen = choose('max.live=moonshine-streaming-small', 'max.vote=parakeet-tdt-0.6b-v2', `max=${V3}`);
  const max = tiersWith(chosen, catalogue)['svc-1.0-max'];
  assert.equal(max.captions?.english, 'moonshine-streaming-small');
  assert.deepEqual([max.english, max.captions?.trust], [TIERS['svc-1.0-max'].english, max.trust]);
  assert.equal(max.secondEnglish, 'parakeet-tdt-0.6b-v2');
  assert.deepEqual(max.weights, { multilingual: 1, english: 0.6, secondEnglish: 1.2 });
  assert.equal(max.readers.fr, V3);
  assert.ok(weightsFor(['svc-1.0-max'], tiersWith(chosen, catalogue)).includes('moonshine-streaming-small'));
  const lite = tiersWith(choose('lite=moonshine-streaming-tiny'), catalogue)['svc-1.0-lite'];
  assert.equal(lite.captions?.english, 'moonshine-streaming-tiny');
  assert.deepEqual(lite.captions?.trust, TIERS['svc-1.0-lite'].trust);
  assert.deepEqual(tiersWith(withChoice(chosen, parseChoice('max=default')), catalogue), TIERS);
});

test('an invalid choice is refused, and the error says what is valid', () => {
  const refused = (choice: string, message: RegExp) =>
    assert.throws(
      () => tiersWith(choose(choice), catalogue),
      (thrown) => thrown instanceof InvalidChoice && message.test(thrown.message),
    );
  refused('max=silero-vad', /cannot be used for a tier.*parakeet-tdt-0\.6b-v3/);
  refused('max=nothing', /cannot be used/);
  refused('pro.vote=parakeet-tdt-0.6b-v2', /Only the max tier votes/);
  refused(`max.ja=${V3}`, /does not support "ja".*uk/);
});

test('choices are kept in the model store; FAIRCOPY_MAX_WHISPER overrides them', async (t) => {
  const modelsDir = await mkdtemp(join(tmpdir(), 'faircopy-chosen-'));
  t.after(() => rm(modelsDir, { recursive: true, force: true }));
  const config = { modelsDir, maxWhisper: 'whisper-small' };
  assert.deepEqual(configuredTiers(config, catalogue), TIERS);
  await writeChosenModels(modelsDir, choose('lite.en=parakeet-tdt_ctc-110m', 'max=whisper-medium'));
  const table = configuredTiers(config, catalogue);
  assert.equal(table['svc-1.0-lite'].readers.en, 'parakeet-tdt_ctc-110m');
  assert.equal(table['svc-1.0-max'].multilingual, 'whisper-medium');
  const configured = configuredTiers({ modelsDir, maxWhisper: 'whisper-large-v3-turbo' }, catalogue);
  assert.equal(configured['svc-1.0-max'].multilingual, 'whisper-large-v3-turbo');
  await writeFile(join(modelsDir, 'tiers.json'), '{"svc-1.0-max": 3}');
  assert.throws(() => readChosenModels(modelsDir), InvalidChoice);
});

test('tiers that do not match the schema are refused', () => {
  const tiers = JSON.stringify(TIERS);
  assert.deepEqual(parseTiers(tiers), TIERS);
  assert.deepEqual(Object.keys(TIERS).sort(), [...MODEL_IDS].sort());
  assert.throws(() => parseTiers(tiers.replace('"multilingual"', '"multilingal"')));
  assert.throws(() => parseTiers(tiers.replace(/"englishNeutral":-[\d.]+/, '"englishNeutral":0.5')));
});
