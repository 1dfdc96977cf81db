import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { Tensor } from 'onnxruntime-node';
import { openSession } from '../../acoustic/open-session.ts';
import { type OnnxModel, writeModel } from '../../graph/onnx.ts';
import { readExport } from '../../graph/read-export.ts';
import { WeightFinder } from '../../graph/weights.ts';
import { noSilence } from '../encoder.ts';
import { writeMadeExport } from '../testing/made-export.ts';
import { buildWhisperEncoder } from './encoder-graph.ts';
import { compiledEncoder } from './outliers.ts';

const SHAPE = { encoderLayers: 2, decoderLayers: 1, width: 32, heads: 2, melBins: 80 } as const;
const FRAMES = 100;
/** A hidden unit of the second layer. Nothing reads it, so its value must not matter. */
const UNIT = 5;
const LARGE = 3000;

const made = async (t: TestContext) => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-outliers-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeMadeExport(folder, SHAPE, 'fp32', false);
  const [encoder, decoder] = [
    await readExport(folder, 'encoder_model'),
    await readExport(folder, 'decoder_model_merged'),
  ];
  const values = (name: string): Float32Array => {
    const tensor = encoder.graph.initializers.find((each) => each.name === name)!;
    const floats = new Float32Array(Uint8Array.from(tensor.data).buffer);
    Object.assign(tensor, { data: new Uint8Array(floats.buffer) });
    return floats;
  };
  values('/layers.1/fc2.weight').fill(0, UNIT * SHAPE.width, (UNIT + 1) * SHAPE.width);
  const bias = values('/layers.1/fc1.bias');
  const parts = () => [new WeightFinder(encoder), new WeightFinder(decoder, 'else_branch'), SHAPE.heads] as const;
  return { values, bias, parts };
};

const outputOf = async (model: OnnxModel): Promise<Float32Array> => {
  const session = await openSession(writeModel(model), 1);
  const features = Float32Array.from({ length: 80 * FRAMES }, (_, i) => Math.sin(i * i));
  const input = new Tensor('float32', features, [1, 80, FRAMES]);
  const outputs = await session.run({ ...noSilence(session), features: input });
  await session.release();
  return outputs['audio.0.value']!.data as Float32Array;
};

const farthest = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

test('a hidden unit with very large values does not blur the others', async (t) => {
  const { bias, parts } = await made(t);
  const expected = await outputOf(buildWhisperEncoder(...parts()));
  bias[UNIT] = LARGE;
  const blurred = farthest(await outputOf(buildWhisperEncoder(...parts())), expected);
  const separate = farthest(await outputOf(await compiledEncoder(...parts())), expected);
  assert.ok(separate < blurred / 10, `${separate} instead of ${blurred}`);
});

test('only the layers with such units are computed in two parts', async (t) => {
  const { values, parts } = await made(t);
  for (const layer of [0, 1]) {
    values(`/layers.${layer}/fc1.weight`).fill(0);
    values(`/layers.${layer}/fc1.bias`).fill(1);
  }
  const floatProducts = async () =>
    (await compiledEncoder(...parts())).graph.nodes.filter(({ opType }) => opType === 'MatMul').length;
  const ofConvolutions = await floatProducts();
  values('/layers.1/fc1.bias').fill(LARGE, 0, UNIT);
  assert.equal(await floatProducts(), ofConvolutions + 2);
});
