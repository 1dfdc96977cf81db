// Tests large Whispers with small generated exports of their layout, from the store to word times.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isMultilingual } from '../acoustic/acoustic-model.ts';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import { OnnxFault, readModel } from '../graph/onnx.ts';
import { readExport } from '../graph/read-export.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import { compileInChild } from '../store/compile/compile.ts';
import { sha256OfFile } from '../store/files.ts';
import { ModelStore } from '../store/store.ts';
import { whisper } from './family.ts';
import { type MadeShape, type Precision, writeMadeExport } from './testing/made-export.ts';

const ID = 'whisper-made';
const small = { encoderLayers: 2, width: 32, heads: 2 };
const never = new AbortController().signal;

/** Creates a store with this export, as if its files had been copied by hand. */
const withStore = async (
  shape: MadeShape,
  precision: Precision,
  hasExternalWeights: boolean,
  use: (store: ModelStore, folder: string) => Promise<void>,
) => {
  const root = await mkdtemp(join(tmpdir(), 'faircopy-large-'));
  try {
    const folder = join(root, ID);
    await writeMadeExport(folder, shape, precision, hasExternalWeights);
    const files: { readonly name: string; readonly bytes: number; readonly sha256: string }[] = [];
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      files.push({ name, bytes: (await stat(path)).size, sha256: await sha256OfFile(path) });
    }
    const about = { about: 'made up', licence: 'none', pins: 'checked' } as const;
    const catalogue = [{ id: ID, family: 'whisper', ...about, files }];
    const store = new ModelStore({
      folder: root,
      catalogue,
      sources: [],
      compile: compileInChild,
      needsCompiling: () => true,
    });
    await use(store, folder);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};

const kinds: readonly (readonly [string, MadeShape])[] = [
  ['80 mel bins, as many decoder as encoder layers', { ...small, decoderLayers: 2, melBins: 80 }],
  ['128 mel bins, four decoder layers', { ...small, decoderLayers: 4, melBins: 128 }],
  ['128 mel bins, two decoder layers', { ...small, decoderLayers: 2, melBins: 128 }],
];

for (const [nth, [name, shape]] of kinds.entries()) {
  // Each precision once, one of them with external weight files.
  const precision = (['int8', 'fp16', 'fp32'] as const)[nth]!;
  test(`${name}, ${precision}: from the store to timed words`, async () => {
    await withStore(shape, precision, precision === 'fp32', async (store, folder) => {
      assert.equal(await store.state(ID), 'unprepared');
      await store.ensure([ID], 'quick', never);
      assert.equal(await store.state(ID), 'ready');
      assert.deepEqual(await store.verify([ID], never), []);
      const model = await whisper.load({ id: ID, folder, compiledFolder: compiledFolder(folder), threads: 1 });
      try {
        assert.ok(isMultilingual(model));
        assert.equal(model.languages.has('yue'), shape.melBins === 128);
        const speech = await model.encode(new Float32Array(32_000).map((_, i) => Math.sin(i / 7) / 3));
        const languages = await speech.detectLanguage();
        const total = [...languages.values()].reduce((sum, probability) => sum + probability, 0);
        assert.ok(Math.abs(total - 1) < 1e-6);
        const hypothesis = await speech.transcribe({ language: 'de', checkpoint: () => undefined });
        assert.ok(Number.isFinite(hypothesis.averageLogProbability));
        const words = await speech.wordTimes(hypothesis, 'de');
        assert.equal(words.length > 0, hypothesis.tokens.length > 0);
        for (const { startMs, endMs } of words) assert.ok(startMs >= 0 && endMs >= startMs && endMs <= 2000);
      } finally {
        await model.close();
      }
    });
  });
}

test('the same weights give the same result, in any precision and file layout', async () => {
  const shape: MadeShape = { ...small, decoderLayers: 2, melBins: 128 };
  const logits: Float32Array[] = [];
  for (const [precision, hasExternalWeights] of [
    ['fp32', false],
    ['fp32', true],
    ['fp16', true],
    ['int8', false],
  ] as const) {
    await withStore(shape, precision, hasExternalWeights, async (store, folder) => {
      await store.ensure([ID], 'quick', never);
      const model = await whisper.load({ id: ID, folder, compiledFolder: compiledFolder(folder), threads: 1 });
      assert.ok(isMultilingual(model));
      const speech = await model.encode(new Float32Array(32_000).map((_, i) => Math.sin(i / 7) / 3));
      logits.push(Float32Array.from((await speech.detectLanguage()).values()));
      await model.close();
    });
  }
  const [plain, external, half, bytes] = logits;
  assert.deepEqual(external, plain);
  const distance = (a: Float32Array, b: Float32Array) => Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
  assert.ok(distance(half!, plain!) < 0.01, `half precision: ${distance(half!, plain!)}`);
  assert.ok(distance(bytes!, plain!) < 0.1, `bytes: ${distance(bytes!, plain!)}`);
});

test('external weights are read only from the folder of their model, and must be complete', async () => {
  const shape: MadeShape = { ...small, decoderLayers: 2, melBins: 80 };
  await withStore(shape, 'fp32', true, async (store, folder) => {
    await rm(join(folder, 'encoder_model.onnx_data'));
    await assert.rejects(store.ensure([ID], 'quick', never), /encoder_model\.onnx_data/);
    const model = await readExport(folder, 'encoder_model');
    const tensor = model.graph.initializers.find(({ name }) => name === 'conv1.weight')!;
    assert.throws(() => tensor.data, /ENOENT/);
    await assert.rejects(readExport(folder, 'no_such_model'), UnknownGraph);
    const loose = readModel(await (await import('node:fs/promises')).readFile(join(folder, 'encoder_model.onnx')));
    assert.throws(() => loose.graph.initializers.map(({ data }) => data), OnnxFault);
  });
});
