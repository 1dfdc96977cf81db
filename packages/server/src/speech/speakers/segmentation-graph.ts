// Rebuilds the published 8-bit graph of pyannote segmentation 3.0 as a float graph.
//
// The 8-bit graph computes its SincNet filters at run time from quantised arguments of sine and cosine, which costs
// accuracy. The cut-off frequencies in it are still floats, so the exact filters can be computed here once. All other
// weights are dequantised: the float graph is also faster than the 8-bit one.
import { GraphBuilder } from '../graph/build.ts';
import { floatsOf, floatTensor } from '../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel, type OnnxTensor } from '../graph/onnx.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import { WeightFinder } from '../graph/weights.ts';
import { sincFilters } from './sinc-filters.ts';
import { dequantised, swappedLastAxes } from './tensors.ts';

const SINC = 'sincnet.conv1d.0.filterbank';
const SINC_NODES = '/sincnet/conv1d.0';
const FILTER_STRIDE = 10;
const POOL = { kernel_shape: [3], strides: [3] };
const CONVOLUTIONS = [1, 2];
const LSTM_NODES = ['/lstm/LSTM_quant', '/lstm/LSTM_1_quant', '/lstm/LSTM_2_quant', '/lstm/LSTM_3_quant'];
const LINEAR_LAYERS = ['linear.0', 'linear.1'];
const CLASSIFIER = 'classifier';

/** Input `x` [windows, 1, samples]; output `y` [windows, frames, classes], log-probabilities. */
export const segmentationGraph = (published: OnnxModel): OnnxModel => {
  const weights = new WeightFinder(published);
  const graph = new GraphBuilder();
  graph.input('x', DATA_TYPE.float, ['windows', 1, 'samples']);

  const norm = (x: string, layer: string): string =>
    graph.op(
      'InstanceNormalization',
      [x, graph.tensor(weights.tensor(`${layer}.weight`)), graph.tensor(weights.tensor(`${layer}.bias`))],
      { attributes: { epsilon: 1e-5 } },
    );
  const leaky = (x: string): string => graph.op('LeakyRelu', [x], { attributes: { alpha: 0.01 } });

  const filters = exactFilters(published, weights);
  let h = norm('x', 'sincnet.wav_norm1d');
  h = graph.op('Conv', [h, graph.tensor(filters)], {
    attributes: { kernel_shape: [filters.dims[2]!], strides: [FILTER_STRIDE] },
  });
  h = graph.op('MaxPool', [graph.op('Abs', [h])], { attributes: POOL });
  h = leaky(norm(h, 'sincnet.norm1d.0'));
  for (const index of CONVOLUTIONS) {
    const kernel = byteWeights(weights, `sincnet.conv1d.${index}.weight_quantized`);
    const bias = graph.tensor(weights.tensor(`sincnet.conv1d.${index}.bias`));
    h = graph.op('Conv', [h, graph.tensor(kernel), bias], {
      attributes: { kernel_shape: [kernel.dims[2]!], strides: [1] },
    });
    h = leaky(norm(graph.op('MaxPool', [h], { attributes: POOL }), `sincnet.norm1d.${index}`));
  }

  h = graph.op('Transpose', [h], { attributes: { perm: [2, 0, 1] } });
  const hiddenSizes = LSTM_NODES.map((name) => {
    const [, input = '', recurrent = '', bias = ''] = weights.node(name).inputs;
    const matrices = [input, recurrent].map((matrix) => graph.tensor(swappedLastAxes(byteWeights(weights, matrix))));
    const hidden = weights.tensor(recurrent).dims[1]!;
    h = graph.op('LSTM', [h, ...matrices, graph.tensor(weights.tensor(bias))], {
      attributes: { hidden_size: hidden, direction: 'bidirectional' },
    });
    h = graph.op('Transpose', [h], { attributes: { perm: [0, 2, 1, 3] } });
    h = graph.op('Reshape', [h, graph.integers([0, 0, -1])]);
    return hidden;
  });
  if (new Set(hiddenSizes).size !== 1) throw new UnknownGraph('its LSTM layers differ in size');
  h = graph.op('Transpose', [h], { attributes: { perm: [1, 0, 2] } });

  for (const layer of [...LINEAR_LAYERS, CLASSIFIER]) {
    const [, matrix = ''] = weights.node(`/${layer}/MatMul_quant`).inputs;
    h = graph.op('MatMul', [h, graph.tensor(byteWeights(weights, matrix))]);
    h = graph.op('Add', [h, graph.tensor(weights.tensor(`${layer}.bias`))]);
    if (layer !== CLASSIFIER) h = leaky(h);
  }
  graph.op('LogSoftmax', [h], { attributes: { axis: -1 }, name: 'y' });
  graph.output('y', DATA_TYPE.float, ['windows', 'frames', weights.tensor(`${CLASSIFIER}.bias`).dims[0]!]);
  return graph.build('segmentation');
};

/** Quantised weights as floats: one scale for all, or one per entry of the first dimension. */
const byteWeights = (weights: WeightFinder, name: string): OnnxTensor => dequantised(weights.quantized(name));

const exactFilters = (published: OnnxModel, weights: WeightFinder): OnnxTensor => {
  const constant = (node: string, input: number): number => {
    const name = weights.node(`${SINC_NODES}/${node}`).inputs[input] ?? '';
    const made = published.graph.nodes.find(({ opType, outputs }) => opType === 'Constant' && outputs[0] === name);
    const tensor = made?.attributes[0]?.tensor;
    const value = tensor && floatsOf(tensor)[0];
    if (value === undefined) throw new UnknownGraph(`"${node}" has no constant`);
    return value;
  };
  const lowMin = constant('Add', 1);
  const bandMin = constant('Add_1', 1);
  const [clipMin, clipMax] = [constant('Clip', 1), constant('Clip', 2)];
  const low = floatsOf(weights.tensor(`${SINC}.low_hz_`)).map((hz) => lowMin + Math.abs(hz));
  const high = floatsOf(weights.tensor(`${SINC}.band_hz_`)).map((hz, band) =>
    Math.min(clipMax, Math.max(clipMin, Math.fround(low[band]! + bandMin) + Math.abs(hz))),
  );
  // The divisor of the sinc is half the time axis, and it is the one copy of that axis that was not quantised.
  const divisor = weights.node(`${SINC_NODES}/Div`).inputs[1] ?? '';
  const radiansPerHz = Float64Array.from(floatsOf(weights.tensor(divisor)), (value) => 2 * value);
  const window = floatsOf(weights.tensor(`${SINC}.window_`));
  if (window.length !== radiansPerHz.length || low.length !== high.length)
    throw new UnknownGraph('its filter bank has an unexpected shape');
  const values = sincFilters({ lowHz: low, highHz: high, radiansPerHz, window });
  return floatTensor('filters', values, [2 * low.length, 1, 2 * window.length + 1]);
};
