import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { bestByteSign } from '../../lib/process/processor.ts';
import { GraphBuilder } from './build.ts';
import { withByteProducts } from './byte-products.ts';
import { sideBySide, transposed } from './matrices.ts';
import { DATA_TYPE, type OnnxModel, readModel, writeModel } from './onnx.ts';
import { withPointwiseProducts } from './pointwise-products.ts';
import { OnnxFault, readFields, WireWriter } from './protobuf.ts';
import { UnknownGraph } from './unknown-graph.ts';
import { WeightFinder } from './weights.ts';

test('numbers are written and read back, including negative ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 50), max: 2 ** 50 }), fc.integer({ min: 1, max: 500 }), (value, number) => {
      const [field] = readFields(new WireWriter().varint(number, value).finish());
      assert.deepEqual([field?.number, field?.value], [number, value]);
    }),
  );
});

test('invalid messages are refused, and never read past their end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        readFields(bytes);
      } catch (fault) {
        assert.match(String(fault), /Not a protobuf message/);
      }
    }),
  );
  assert.throws(() => readModel(new Uint8Array([8, 1])), /no graph/);
  assert.throws(() => readModel(new Uint8Array([0x3a, 0, 0x3a, 0])), /more than one graph/);
});

test('a negative length is refused instead of moving the reader backwards', () => {
  const back = new Uint8Array([0x0a, 0xf6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
  assert.throws(() => readFields(back), OnnxFault);
});

test('deeply nested graphs, and numbers of the wrong size, are refused', () => {
  const wrap = (number: number, bytes: Uint8Array) => new WireWriter().bytes(number, bytes).finish();
  let graph: Uint8Array = new Uint8Array(0);
  for (let depth = 0; depth < 5_000; depth++) graph = wrap(1, wrap(5, wrap(6, graph)));
  assert.throws(() => readModel(wrap(7, graph)), OnnxFault);
  assert.throws(() => readModel(wrap(7, wrap(1, wrap(5, wrap(2, Uint8Array.of(1)))))), OnnxFault);
});

const matrix = (name: string, rows: number, bytes: readonly number[], scale: number, zero: number) => ({
  weights: { name, dims: [rows, bytes.length / rows], dataType: DATA_TYPE.uint8, data: Uint8Array.from(bytes) },
  scale: {
    name: `${name}_s`,
    dims: [],
    dataType: DATA_TYPE.float,
    data: new Uint8Array(Float32Array.of(scale).buffer),
  },
  zeroPoint: { name: `${name}_z`, dims: [], dataType: DATA_TYPE.uint8, data: Uint8Array.of(zero) },
});

test('a built graph runs: two matrices side by side give both products', async () => {
  const left = matrix('left', 2, [1, 2, 3, 4], 0.5, 0);
  const right = matrix('right', 2, [10, 20], 1, 10);
  const graph = new GraphBuilder();
  const x = graph.input('x', DATA_TYPE.float, [1, 'rows', 2]);
  const product = graph.linear(x, sideBySide('wide', [left, right]));
  graph.op('Identity', [product], { name: 'y' });
  graph.output('y', DATA_TYPE.float, [1, 'rows', 3]);
  const session = await InferenceSession.create(writeModel(graph.build('test')), { logSeverityLevel: 3 });
  const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, 1), [1, 1, 2]) });
  // [1 1] × 0.5·[[1 2] [3 4]] = [2 3]; [1 1] × ([10 20] − 10) = [10].
  for (const [i, expected] of [2, 3, 10].entries()) assert.ok(Math.abs((y!.data as Float32Array)[i]! - expected) < 0.1);
  await session.release();
});

test('a model is written and read back', () => {
  const graph = new GraphBuilder();
  const x = graph.input('x', DATA_TYPE.int64, [1, 'n']);
  graph.op('Concat', [x, graph.integers([-1, 5], [1, 2])], { attributes: { axis: 1 }, name: 'y' });
  graph.output('y', DATA_TYPE.int64, [1, 'm']);
  const bytes = writeModel(graph.build('round'));
  const again = readModel(bytes);
  assert.deepEqual(Buffer.from(writeModel(again)), Buffer.from(bytes));
  assert.deepEqual(again.graph.nodes[0]?.inputs, ['x', 'integers_1x2_-1_5']);
});

test('a transposed matrix keeps its values', () => {
  const turned = transposed('t', matrix('m', 2, [1, 2, 3, 4, 5, 6], 1, 0));
  assert.deepEqual(
    [turned.weights.dims, [...turned.weights.data]],
    [
      [3, 2],
      [1, 4, 2, 5, 3, 6],
    ],
  );
});

test('an unknown graph is refused with the missing name', () => {
  const weights = new WeightFinder(new GraphBuilder().build('empty'));
  assert.throws(() => weights.matrix('/layers.0/fc1'), UnknownGraph);
  assert.throws(() => weights.layers('/layers', 'fc1'), UnknownGraph);
});

/** A product of two matrices side by side, and its result. */
const productOf = (weightAt: (at: number, seed: number) => number) => {
  const rows = 64;
  const wide = (seed: number) => Array.from({ length: rows * 48 }, (_, i) => weightAt(i, seed));
  const graph = new GraphBuilder();
  const x = graph.input('x', DATA_TYPE.float, [1, 'rows', rows]);
  const table = matrix('left', rows, wide(3), 0.01, 109);
  const product = graph.linear(x, sideBySide('wide', [table, matrix('right', rows, wide(7), 0.02, 163)]));
  graph.op('Identity', [product], { name: 'y' });
  graph.output('y', DATA_TYPE.float, [1, 'rows', 96]);
  const model = graph.build('test');
  const samples = Float32Array.from({ length: 2 * rows }, (_, i) => (i === 0 ? 1 : Math.sin(i) / 8));
  const run = async (each: typeof model) => {
    const session = await InferenceSession.create(writeModel(each), { logSeverityLevel: 3 });
    const { y } = await session.run({ x: new Tensor('float32', samples, [1, 2, rows]) });
    await session.release();
    return y!.data;
  };
  return { model, run };
};

const typesOf = ({ graph: { nodes, initializers } }: OnnxModel) => {
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  return initializers.flatMap(({ name, dataType }) => (used.has(name) ? [dataType] : [NaN])).sort();
};

test('products with signed weights are bit-identical, even after conversion back', async () => {
  // With 7-bit weights, no processor saturates a sum.
  const { model, run } = productOf((at, seed) => 64 + ((at * 2654435761 * seed) >>> 25));
  const signed = withByteProducts(model, 'signed');
  const back = withByteProducts(signed, 'unsigned');
  assert.deepEqual(typesOf(model), [DATA_TYPE.float, DATA_TYPE.uint8, DATA_TYPE.uint8]);
  assert.deepEqual(typesOf(signed), [DATA_TYPE.float, DATA_TYPE.int8, DATA_TYPE.int8]);
  assert.deepEqual(typesOf(back), typesOf(model));
  assert.deepEqual(withByteProducts(model, 'unsigned').graph, model.graph);
  const plain = await run(model);
  assert.deepEqual(await run(signed), plain);
  assert.deepEqual(await run(back), plain);
});

test('with the best byte sign for this processor, 8-bit products are exact', async () => {
  // Adjacent large weights, so that saturation would show.
  const { model, run } = productOf((at, seed) => (at % 5 === 0 ? (at * seed) % 256 : 255 - (at % 3)));
  const sign = bestByteSign();
  const published = withByteProducts(model, 'signed');
  assert.deepEqual(await run(sign ? withByteProducts(published, sign) : published), await run(model));
});

test('integer products without a zero point stay bit-identical', async () => {
  const graph = new GraphBuilder();
  const x = graph.input('x', DATA_TYPE.uint8, ['rows', 4]);
  const data = Uint8Array.from([1, 255, 3, 128, 127, 6, 200, 8]);
  const weights = graph.tensor({ name: 'w', dims: [4, 2], dataType: DATA_TYPE.int8, data });
  graph.op('MatMulInteger', [x, weights], { name: 'y' });
  graph.output('y', DATA_TYPE.int32, ['rows', 2]);
  const model = graph.build('test');
  const run = async (each: OnnxModel) => {
    const session = await InferenceSession.create(writeModel(each), { logSeverityLevel: 3 });
    const { y } = await session.run({ x: new Tensor('uint8', Uint8Array.of(0, 1, 77, 99), [1, 4]) });
    await session.release();
    return y!.data;
  };
  const unsigned = withByteProducts(model, 'unsigned');
  assert.deepEqual(typesOf(unsigned), [DATA_TYPE.uint8, DATA_TYPE.uint8]);
  assert.deepEqual(await run(unsigned), await run(model));
});

test('byte convolutions with kernel size 1 become products with the same sums; others are unchanged', async () => {
  const convolution = (kernel: number, attributes: Readonly<Record<string, number | number[]>>) => {
    const graph = new GraphBuilder();
    const x = graph.input('x', DATA_TYPE.uint8, [1, 4, 'frames']);
    const zero = graph.tensor({ name: 'x_zero', dims: [], dataType: DATA_TYPE.uint8, data: Uint8Array.of(7) });
    const weightZero = graph.tensor({ name: 'w_zero', dims: [], dataType: DATA_TYPE.uint8, data: Uint8Array.of(90) });
    const data = Uint8Array.from({ length: 3 * 4 * kernel }, (_, at) => (at * 37 + 11) % 128);
    const weights = graph.tensor({ name: 'w', dims: [3, 4, kernel], dataType: DATA_TYPE.uint8, data });
    graph.op('ConvInteger', [x, weights, zero, weightZero], { name: 'y', attributes });
    graph.output('y', DATA_TYPE.int32, [1, 3, 'out']);
    // As read from a file.
    return readModel(writeModel(graph.build('test')));
  };
  const run = async (model: OnnxModel) => {
    const session = await InferenceSession.create(writeModel(model), { logSeverityLevel: 3 });
    const samples = Uint8Array.from({ length: 20 }, (_, at) => (at * 53) % 256);
    const { y } = await session.run({ x: new Tensor('uint8', samples, [1, 4, 5]) });
    await session.release();
    return [y!.dims, y!.data];
  };
  const plain = convolution(1, { group: 1, kernel_shape: [1], pads: [0, 0], strides: [1], dilations: [1] });
  const changed = withPointwiseProducts(plain);
  assert.deepEqual(
    changed.graph.nodes.map(({ opType }) => opType),
    ['Transpose', 'MatMulInteger', 'Transpose'],
  );
  assert.deepEqual(await run(changed), await run(plain));
  for (const other of [convolution(3, {}), convolution(1, { strides: [2] }), convolution(1, { pads: [1, 1] })])
    assert.deepEqual(withPointwiseProducts(other).graph.nodes, other.graph.nodes);
});
