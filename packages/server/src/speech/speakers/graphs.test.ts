import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { compiledFolder } from '../acoustic/compiled-files.ts';
import { floatsOf, floatTensor } from '../graph/matrices.ts';
import { type OnnxModel, writeModel } from '../graph/onnx.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import { affineGraph, cutEmbeddingModel, EMBEDDING_OUTPUT, FRAMES_OUTPUT } from './embedding-graph.ts';
import { loadEmbeddingModel } from './embedding-model.ts';
import { COMPILED_SPEAKER_FILES } from './families.ts';
import { pooledStatistics, unitRows } from './pooling.ts';
import { segmentationGraph } from './segmentation-graph.ts';
import { sincFilters } from './sinc-filters.ts';
import { dequantised, swappedLastAxes } from './tensors.ts';
import { madeEmbeddingModel, madeSegmentationModel } from './testing/made-graphs.ts';

const run = async (model: OnnxModel, feeds: Record<string, Tensor>) =>
  (await InferenceSession.create(writeModel(model), { logSeverityLevel: 3 })).run(feeds);

const noise = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * i * 0.37) * 0.4);

test('an embedding model cut in two gives the same result as the whole model', async () => {
  const model = madeEmbeddingModel();
  const samples = noise(301);
  const waveform = new Tensor('float32', samples, [1, samples.length]);
  const whole = (await run(model, { waveform })).embeddings?.data as Float32Array;

  const { frameLayers, affine } = cutEmbeddingModel(model);
  const output = (await run(frameLayers, { waveform }))[FRAMES_OUTPUT]!;
  const [, channels = 0, count = 0] = output.dims;
  const frames = { channels, count, values: output.data as Float32Array };
  const statistics = pooledStatistics(frames, Int32Array.of(0, count))!;
  const feeds = { statistics: new Tensor('float32', statistics, [1, statistics.length]) };
  const embedded = (await run(affineGraph(affine), feeds))[EMBEDDING_OUTPUT]!;
  const pieces = unitRows(embedded.data as Float32Array, embedded.dims[1]!)[0]!;

  const length = Math.hypot(...whole);
  pieces.forEach((value, index) => {
    assert.ok(Math.abs(value - whole[index]! / length) < 1e-5);
  });
});

test('embedding can be stopped between its two graph runs', async (t) => {
  const modelFolder = await mkdtemp(join(tmpdir(), 'faircopy-embedding-'));
  t.after(() => rm(modelFolder, { recursive: true, force: true }));
  const folder = compiledFolder(modelFolder);
  await mkdir(folder);
  const { frameLayers, affine } = cutEmbeddingModel(madeEmbeddingModel());
  await writeFile(join(folder, COMPILED_SPEAKER_FILES.frames), writeModel(frameLayers));
  await writeFile(join(folder, COMPILED_SPEAKER_FILES.affine), Float32Array.of(...affine.weights, ...affine.bias));
  const model = await loadEmbeddingModel(modelFolder);
  t.after(() => model.close());
  const regions = [Int32Array.of(10, 100)];
  const [embedding] = await model.run(noise(4_000), regions);
  assert.equal(embedding?.length, affine.outputs);
  const stop = () => assert.fail('stopped');
  await assert.rejects(model.run(noise(4_000), regions, stop), /stopped/);
});

test('a model that does not end in an affine layer is refused', () => {
  const { graph, rest } = madeEmbeddingModel();
  const nodes = graph.nodes.filter(({ opType }) => opType !== 'Gemm');
  assert.throws(() => cutEmbeddingModel({ rest, graph: { ...graph, nodes } }), UnknownGraph);
});

test('the rebuilt segmentation graph runs, and its classes sum to one in every frame', async () => {
  const graph = segmentationGraph(madeSegmentationModel());
  const samples = 4_000;
  const { y } = await run(graph, { x: new Tensor('float32', noise(2 * samples), [2, 1, samples]) });
  const [windows, frames = 0, classes = 0] = y!.dims;
  assert.deepEqual([windows, classes], [2, 7]);
  assert.ok(frames > 5);
  const scores = y!.data as Float32Array;
  for (let row = 0; row < 2 * frames; row++) {
    const sum = scores
      .subarray(row * classes, (row + 1) * classes)
      .reduce((total, score) => total + Math.exp(score), 0);
    assert.ok(Math.abs(sum - 1) < 1e-5);
  }
});

test('the result for a window does not depend on the rest of its batch', async () => {
  const graph = segmentationGraph(madeSegmentationModel());
  const samples = 4_000;
  const both = noise(2 * samples);
  const alone = (await run(graph, { x: new Tensor('float32', both.slice(samples), [1, 1, samples]) })).y!;
  const batch = (await run(graph, { x: new Tensor('float32', both, [2, 1, samples]) })).y!;
  const second = (batch.data as Float32Array).subarray(alone.size);
  (alone.data as Float32Array).forEach((score, index) => {
    assert.ok(Math.abs(score - second[index]!) < 1e-4);
  });
});

test('a segmentation graph without its filter bank is refused', () => {
  const { graph, rest } = madeSegmentationModel();
  const initializers = graph.initializers.filter(({ name }) => !name.includes('low_hz_'));
  assert.throws(() => segmentationGraph({ rest, graph: { ...graph, initializers } }), UnknownGraph);
});

test('sinc filters: even ones are symmetric, odd ones antisymmetric, and a band passes its own frequency', () => {
  const half = 125;
  const radiansPerHz = Float64Array.from({ length: half }, (_, i) => (2 * Math.PI * (i - half)) / 16_000);
  const window = Float64Array.from(
    { length: half },
    (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (2 * half + 1)),
  );
  const property = fc.property(
    fc.integer({ min: 200, max: 6_000 }),
    fc.integer({ min: 200, max: 1_000 }),
    (low, band) => {
      const filters = sincFilters({ lowHz: [low], highHz: [low + band], radiansPerHz, window });
      const taps = 2 * half + 1;
      const [even, odd] = [filters.subarray(0, taps), filters.subarray(taps)];
      for (let tap = 0; tap < half; tap++) {
        assert.equal(even[tap], even[taps - 1 - tap]);
        assert.equal(odd[tap], -odd[taps - 1 - tap]!);
      }
      const gain = (hz: number): number => {
        const cosine = even.reduce(
          (sum, value, tap) => sum + value * Math.cos((2 * Math.PI * hz * (tap - half)) / 16_000),
          0,
        );
        return Math.abs(cosine);
      };
      assert.ok(gain(low + band / 2) > 10 * gain(low + band + 1_000));
    },
  );
  fc.assert(property, { numRuns: 30 });
});

test('pooled statistics are the mean and deviation of the chosen frames, whatever the spans', () => {
  const spans = fc.array(fc.tuple(fc.integer({ min: -3, max: 12 }), fc.integer({ min: 0, max: 8 })), { maxLength: 4 });
  const property = fc.property(spans, (pairs) => {
    const [channels, count] = [2, 10];
    const frames = { channels, count, values: noise(channels * count) };
    const flat = Int32Array.from(pairs.flatMap(([from, length]) => [from, from + length]));
    const chosen = pairs.flatMap(([from, length]) =>
      Array.from({ length }, (_, i) => from + i).filter((frame) => frame >= 0 && frame < count),
    );
    const statistics = pooledStatistics(frames, flat);
    if (chosen.length === 0) return assert.equal(statistics, null);
    for (let channel = 0; channel < channels; channel++) {
      const values = chosen.map((frame) => frames.values[channel * count + frame]!);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      assert.ok(Math.abs(statistics![channel]! - mean) < 1e-5);
      assert.ok(
        Math.abs(statistics![channels + channel]! - Math.sqrt(squares / Math.max(1, values.length - 1))) < 1e-3,
      );
    }
  });
  fc.assert(property);
});

test('bytes become floats by one scale, or by one per entry of the first dimension', () => {
  const scales = (values: number[]) =>
    floatTensor('s', Float32Array.from(values), values.length > 1 ? [values.length] : []);
  const bytes = (values: number[], dataType: number, dims: number[]) => ({
    name: 'm_quantized',
    dims,
    dataType,
    data: Uint8Array.from(values),
  });
  const whole = { weights: bytes([0, 130], 2, [2]), scale: scales([0.5]), zeroPoint: bytes([128], 2, []) };
  assert.deepEqual([...floatsOf(dequantised(whole))], [-64, 1]);
  const grouped = { weights: bytes([1, 255], 3, [2, 1]), scale: scales([2, 3]), zeroPoint: bytes([0, 1], 3, [2]) };
  assert.deepEqual([...floatsOf(dequantised(grouped))], [2, -6]);
});

test('swapping the last axes twice changes nothing', () => {
  const tensor = floatTensor('t', noise(24), [2, 3, 4]);
  assert.deepEqual(floatsOf(swappedLastAxes(swappedLastAxes(tensor))), floatsOf(tensor));
  assert.deepEqual(swappedLastAxes(tensor).dims, [2, 4, 3]);
});
