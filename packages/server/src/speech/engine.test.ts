import assert from 'node:assert/strict';
import test from 'node:test';
import { parseRoomSettings } from '../config/parse.ts';
import type { Environment } from '../config/setting.ts';
import { configuredTiers, tiersWith } from './cascade/chosen-models.ts';
import { LocalSpeechEngine } from './engine.ts';
import { poolShape, processBytesFor } from './pool/shape.ts';
import type { TierId } from './recogniser.ts';
import { speechSettings } from './settings.ts';
import { readCatalogue } from './store/catalogue.ts';
import { neededModels } from './store/needed.ts';
import { windowOf } from './testing/recogniser-fixtures.ts';
import { storedModels } from './testing/stored-models.ts';

const GIGABYTE = 2 ** 30;

const settingsOf = (env: Environment) => parseRoomSettings(speechSettings, env);

test('the pool fits the cores and the memory, unless it is configured', () => {
  const config = settingsOf({});
  assert.deepEqual(poolShape(config, { cores: 2, bytes: 8 * GIGABYTE }), [2, 1]);
  assert.deepEqual(poolShape(config, { cores: 2, bytes: 4 * GIGABYTE }), [2]);
  assert.deepEqual(poolShape(config, { cores: 1, bytes: 2 * GIGABYTE }), [1]);
  assert.deepEqual(poolShape(config, { cores: 5, bytes: 64 * GIGABYTE }), [2, 2, 1, 1, 1]);
  assert.deepEqual(poolShape(config, { cores: 64, bytes: 15 * GIGABYTE }), [2, 2, 2, 2, 2]);
  const wide = settingsOf({ FAIRCOPY_RECOGNISER_THREADS: '8' });
  assert.deepEqual(poolShape(wide, { cores: 8, bytes: 64 * GIGABYTE }), [8, 8]);
  assert.deepEqual(poolShape(settingsOf({ FAIRCOPY_EXECUTION: 'cuda' }), { cores: 8, bytes: 64 * GIGABYTE }), [2]);
  const configured = settingsOf({ FAIRCOPY_RECOGNISERS: '3', FAIRCOPY_RECOGNISER_THREADS: '1' });
  assert.deepEqual(poolShape(configured, { cores: 2, bytes: GIGABYTE }), [1, 1, 1]);
});

test('a larger Whisper leaves room for fewer processes', () => {
  const catalogue = readCatalogue();
  const roomFor = (maxWhisper: string, tier: TierId = 'svc-1.0-max') => {
    const config = settingsOf({ FAIRCOPY_MAX_WHISPER: maxWhisper, FAIRCOPY_MODELS_DIR: '/nowhere' });
    return processBytesFor([tier], configuredTiers(config, catalogue), catalogue);
  };
  assert.equal(roomFor('whisper-small'), 1.5 * GIGABYTE);
  assert.ok(roomFor('whisper-large-v3-turbo') > roomFor('whisper-medium'));
  assert.equal(roomFor('whisper-large-v3-turbo', 'svc-1.0-lite'), roomFor('whisper-small'));
  assert.ok(roomFor('distil-large-v3') > roomFor('whisper-small'));

  const machine = { cores: 8, bytes: 16 * GIGABYTE };
  assert.equal(poolShape(settingsOf({}), machine, roomFor('whisper-small')).length, 5);
  assert.equal(poolShape(settingsOf({}), machine, roomFor('whisper-large-v3-turbo')).length, 2);
});

test('the memory of a model published in 16 or 32 bits is planned for weights compiled to 8 bits', () => {
  const planned = (fileName: string, bytes: number) => {
    const catalogue = readCatalogue().map((model) =>
      model.id === 'whisper-medium' ? { ...model, files: [{ name: fileName, bytes, sha256: '' }] } : model,
    );
    const table = tiersWith({ 'svc-1.0-max': { '*': 'whisper-medium' } }, catalogue);
    return processBytesFor(['svc-1.0-max'], table, catalogue);
  };
  const weights = 800_000_000;
  const expected = planned('encoder_model_quantized.onnx', weights);
  assert.equal(planned('encoder_model_fp16.onnx', 2 * weights), expected);
  assert.equal(planned('ggml-medium.bin', 2 * weights), expected);
  assert.equal(planned('encoder_model.onnx_data', 4 * weights), expected);
});

const tiers = ['svc-1.0-lite'] as const;
const stored = await storedModels(neededModels(tiers));
const real = { skip: 'skip' in stored ? stored.skip : false };

test('the real models load, find no speech in silence, and stop when closed', real, async () => {
  assert.ok('store' in stored);
  const config = settingsOf({ FAIRCOPY_MODELS: tiers.join(), FAIRCOPY_RECOGNISERS: '1' });
  const engine = new LocalSpeechEngine({ config, store: stored.store });
  try {
    await engine.ready();
    const samples = new Float32Array(16_000);
    const probe = engine.openVoiceProbe();
    const probabilities = await probe.push(samples);
    assert.ok(probabilities.every((probability) => probability < 0.3));
    const window = windowOf({ tier: tiers[0], samples });
    const { text } = await engine.recogniser.recognise(window, new AbortController().signal);
    assert.equal(typeof text, 'string');
    assert.ok((engine.processes[0]?.rssBytes ?? 0) > 0);
  } finally {
    await engine.close();
  }
  assert.deepEqual(
    engine.processes.map(({ state }) => state),
    ['closed'],
  );
});
