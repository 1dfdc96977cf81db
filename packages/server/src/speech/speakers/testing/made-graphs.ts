// Small graphs with the names and shapes of the real speaker models, and weights made from a formula.
import { GraphBuilder } from '../../graph/build.ts';
import { floatTensor } from '../../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel, type OnnxNode, type OnnxTensor } from '../../graph/onnx.ts';

const filled = (name: string, dims: readonly number[], valueAt: (i: number) => number): OnnxTensor => {
  const length = dims.reduce((product, dim) => product * dim, 1);
  return floatTensor(
    name,
    Float32Array.from({ length }, (_, i) => valueAt(i)),
    dims,
  );
};

const made = (name: string, dims: readonly number[]): OnnxTensor =>
  filled(name, dims, (i) => Math.sin(1 + dims.length + 0.7 * i) / 2);

const positive = (name: string, count: number): OnnxTensor => filled(name, [count], (i) => 0.5 + i / count);

/** Waveform → a convolution and a batch norm → mean and deviation → an affine layer, like the embedding model. */
export const madeEmbeddingModel = (): OnnxModel => {
  const [channels, outputs] = [4, 3];
  const graph = new GraphBuilder();
  graph.input('waveform', DATA_TYPE.float, ['batch', 'samples']);
  const signal = graph.op('Unsqueeze', ['waveform', graph.integers([1])]);
  const convolved = graph.op('Conv', [signal, graph.tensor(made('kernel', [channels, 1, 5]))], {
    attributes: { kernel_shape: [5], strides: [2] },
  });
  const statistics = ['weight', 'bias', 'mean', 'variance'].map((part) => graph.tensor(positive(part, channels)));
  const frames = graph.op('BatchNormalization', [convolved, ...statistics], { attributes: { epsilon: 1e-5 } });
  const mean = graph.op('ReduceMean', [frames], { attributes: { axes: [-1], keepdims: 1 } });
  const centred = graph.op('Sub', [frames, mean]);
  const squares = graph.op('ReduceSum', [graph.op('Mul', [centred, centred]), graph.integers([-1])], {
    attributes: { keepdims: 0 },
  });
  const count = graph.op('Cast', [graph.op('Gather', [graph.op('Shape', [frames]), graph.integers([2])])], {
    attributes: { to: DATA_TYPE.float },
  });
  const one = graph.tensor(floatTensor('one', Float32Array.of(1)));
  const deviation = graph.op('Sqrt', [graph.op('Div', [squares, graph.op('Sub', [count, one])])]);
  const flat = graph.op('Squeeze', [mean, graph.integers([-1])]);
  const pooled = graph.op('Concat', [flat, deviation], { attributes: { axis: -1 } });
  const weights = [made('affine.weight', [outputs, 2 * channels]), made('affine.bias', [outputs])];
  graph.op('Gemm', [pooled, ...weights.map((tensor) => graph.tensor(tensor))], {
    attributes: { transB: 1 },
    name: 'embeddings',
  });
  graph.output('embeddings', DATA_TYPE.float, ['batch', outputs]);
  return graph.build('made');
};

const bytes = (name: string, dims: readonly number[], signed: boolean): OnnxTensor[] => {
  const count = dims.reduce((product, dim) => product * dim, 1);
  const data = Uint8Array.from({ length: count }, (_, i) => (i * 37 + dims.length * 11) % 256);
  const dataType = signed ? DATA_TYPE.int8 : DATA_TYPE.uint8;
  const groups = signed ? dims[0]! : 1;
  const groupDims = signed ? [groups] : [];
  return [
    { name: `${name}_quantized`, dims, dataType, data },
    filled(`${name}_scale`, groupDims, (i) => 0.002 * (i + 1)),
    { name: `${name}_zero_point`, dims: groupDims, dataType, data: new Uint8Array(groups).fill(signed ? 0 : 128) },
  ];
};

const node = (opType: string, name: string, inputs: readonly string[], outputs: readonly string[]): OnnxNode => ({
  name,
  opType,
  domain: '',
  inputs,
  outputs,
  attributes: [],
});

const SINC = '/sincnet/conv1d.0';

/** A miniature of the published segmentation graph, with only the parts that the compiler reads. */
export const madeSegmentationModel = (): OnnxModel => {
  const [bands, half, channels, hidden, classes] = [3, 4, 5, 2, 7];
  const constants = { low: 50, band: 50, clipMin: 50, clipMax: 8_000 };
  const initializers: OnnxTensor[] = [
    positive('sincnet.wav_norm1d.weight', 1),
    positive('sincnet.wav_norm1d.bias', 1),
    floatTensor('sincnet.conv1d.0.filterbank.low_hz_', Float32Array.of(30, -400, 2_000), [bands, 1]),
    floatTensor('sincnet.conv1d.0.filterbank.band_hz_', Float32Array.of(90, 300, -9_000), [bands, 1]),
    filled('sincnet.conv1d.0.filterbank.window_', [half], (i) => 0.2 + (0.7 * i) / half),
    filled('divisor', [1, half], (i) => (Math.PI * (i - half)) / 16_000),
    ...[0, 1, 2].flatMap((index) => [
      positive(`sincnet.norm1d.${index}.weight`, index === 0 ? 2 * bands : channels),
      positive(`sincnet.norm1d.${index}.bias`, index === 0 ? 2 * bands : channels),
    ]),
    ...bytes('sincnet.conv1d.1.weight', [channels, 2 * bands, 3], false),
    ...bytes('sincnet.conv1d.2.weight', [channels, channels, 3], false),
    made('sincnet.conv1d.1.bias', [channels]),
    made('sincnet.conv1d.2.bias', [channels]),
    made('linear.0.bias', [4]),
    made('linear.1.bias', [4]),
    made('classifier.bias', [classes]),
    ...bytes('linear0', [2 * hidden, 4], false),
    ...bytes('linear1', [4, 4], false),
    ...bytes('last', [4, classes], false),
  ];
  const nodes: OnnxNode[] = [
    ...Object.entries(constants).map(([name, value]) => ({
      ...node('Constant', name, [], [name]),
      attributes: [{ name: 'value', tensor: floatTensor(name, Float32Array.of(value), []) }],
    })),
    node('Add', `${SINC}/Add`, ['abs', 'low'], ['lows']),
    node('Add', `${SINC}/Add_1`, ['lows', 'band'], ['sum']),
    node('Clip', `${SINC}/Clip`, ['highs', 'clipMin', 'clipMax'], ['clipped']),
    node('Div', `${SINC}/Div`, ['sines', 'divisor'], ['quotient']),
    node('MatMulInteger', '/linear.0/MatMul_quant', ['x', 'linear0_quantized'], ['a']),
    node('MatMulInteger', '/linear.1/MatMul_quant', ['a', 'linear1_quantized'], ['b']),
    node('MatMulInteger', '/classifier/MatMul_quant', ['b', 'last_quantized'], ['c']),
  ];
  ['LSTM', 'LSTM_1', 'LSTM_2', 'LSTM_3'].forEach((name, index) => {
    const inputs = index === 0 ? channels : 2 * hidden;
    initializers.push(...bytes(`${name}.w`, [2, inputs, 4 * hidden], true));
    initializers.push(...bytes(`${name}.r`, [2, hidden, 4 * hidden], true));
    initializers.push(made(`${name}.b`, [2, 8 * hidden]));
    const names = [`${name}.w_quantized`, `${name}.r_quantized`, `${name}.b`];
    nodes.push(node('DynamicQuantizeLSTM', `/lstm/${name}_quant`, ['x', ...names], [name]));
  });
  return { graph: { name: 'made', nodes, initializers, inputs: [], outputs: [] }, rest: [] };
};

/** Filter banks → ReLU → mean over frames → a linear layer, with the input and output names of an export. */
export const madeFbankModel = (input: string, output: string): OnnxModel => {
  const outputs = 6;
  const graph = new GraphBuilder();
  graph.input(input, DATA_TYPE.float, ['B', 'T', 80]);
  const bent = graph.op('Relu', [input]);
  const mean = graph.op('ReduceMean', [bent], { attributes: { axes: [1], keepdims: 0 } });
  graph.op('MatMul', [mean, graph.tensor(made('out.weight', [80, outputs]))], { name: output });
  graph.output(output, DATA_TYPE.float, ['B', outputs]);
  return graph.build('made');
};
