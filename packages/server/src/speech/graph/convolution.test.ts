// Tests convolutions as matrix products against onnxruntime's own.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Tensor } from 'onnxruntime-node';
import { openSession } from '../acoustic/open-session.ts';
import { GraphBuilder } from './build.ts';
import { convolveInTime, type Kernel } from './convolution.ts';
import { floatTensor } from './matrices.ts';
import { DATA_TYPE, writeModel } from './onnx.ts';

const POSITIONS = 11;
const [INPUTS, OUTPUTS, SIZE] = [4, 3, 5];
const DIMS = [OUTPUTS, INPUTS, SIZE];
const STEPS = Int8Array.from({ length: OUTPUTS * INPUTS * SIZE }, (_, i) => ((i * 37) % 255) - 127);
const SCALE = 1 / 127;

const single = (name: string, value: number) => floatTensor(name, Float32Array.of(value), []);
const floats: Kernel = floatTensor(
  'kernel',
  Float32Array.from(STEPS, (step) => step * SCALE),
  DIMS,
);
const bytes: Kernel = {
  weights: { name: 'kernel', dims: DIMS, dataType: DATA_TYPE.int8, data: new Uint8Array(STEPS.buffer) },
  scale: single('scale', SCALE),
  zeroPoint: { name: 'zero', dims: [], dataType: DATA_TYPE.int8, data: new Uint8Array(1) },
};

/** The product and onnxruntime's convolution of the same values, both [positions, outputs]. */
const convolved = async (kernel: Kernel, stride: number, padding: number) => {
  const graph = new GraphBuilder();
  const x = graph.input('x', DATA_TYPE.float, [1, 'positions', INPUTS]);
  const turned = { attributes: { perm: [0, 2, 1] } };
  graph.op('Identity', [convolveInTime(graph, x, kernel, { stride, padding })], { name: 'product' });
  const attributes = {
    dilations: [1],
    group: 1,
    kernel_shape: [SIZE],
    pads: [padding, padding],
    strides: [stride],
  };
  const own = graph.op('Conv', [graph.op('Transpose', [x], turned), graph.tensor({ ...floats, name: 'floats' })], {
    attributes,
  });
  graph.op('Transpose', [own], { ...turned, name: 'convolution' });
  for (const name of ['product', 'convolution']) graph.output(name, DATA_TYPE.float, [1, 'fewer', OUTPUTS]);
  const session = await openSession(writeModel(graph.build('convolutions')), 1);
  const values = Float32Array.from({ length: POSITIONS * INPUTS }, (_, i) => Math.sin(i * i));
  const { product, convolution } = await session.run({ x: new Tensor('float32', values, [1, POSITIONS, INPUTS]) });
  await session.release();
  return { product: product!, convolution: convolution! };
};

for (const [name, kernel, tolerance] of [
  ['floats', floats, 1e-5],
  ['bytes', bytes, 0.1],
] as const) {
  for (const stride of [1, 2, 3]) {
    for (const padding of [0, 1, 2]) {
      test(`of ${name}, stride ${stride}, padding ${padding}`, async () => {
        const { product, convolution } = await convolved(kernel, stride, padding);
        assert.deepEqual(product.dims, convolution.dims);
        for (const [i, value] of (product.data as Float32Array).entries())
          assert.ok(Math.abs(value - (convolution.data as Float32Array)[i]!) < tolerance, `${i}: ${value}`);
      });
    }
  }
}
