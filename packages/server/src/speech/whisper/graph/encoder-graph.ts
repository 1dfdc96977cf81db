// Builds Whisper's encoder graph from its weights: any window up to 30 s, fused attention. It outputs the decoder's
// cross-attention keys and values, so that the decoder needs no separate first step. It can also attend to positions
// that were encoded before: `encoder.ts` passes silence.
import { GraphBuilder, type QuantizedMatrix } from '../../graph/build.ts';
import {
  addAndNorm,
  attendToPast,
  audioKeysAndValues,
  feedForward,
  layerNorm,
  linear,
  projectTogether,
} from '../../graph/layers.ts';
import { inSinglePrecision } from '../../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel, type OnnxTensor } from '../../graph/onnx.ts';
import { UnknownGraph } from '../../graph/unknown-graph.ts';
import type { WeightFinder } from '../../graph/weights.ts';

/** The name of the graph output with the hidden units of a layer's feed-forward part, if it has them. */
export const hiddenOutput = (layer: number): string => `hidden.${layer}`;

interface EncoderOptions {
  /** For each layer, the hidden units that are multiplied in single precision. Default: none. */
  readonly outliers?: readonly (readonly number[])[];
  /** Outputs the hidden units of every layer. */
  readonly showsHidden?: boolean;
}

export const buildWhisperEncoder = (
  encoder: WeightFinder,
  decoder: WeightFinder,
  heads: number,
  { outliers = [], showsHidden = false }: EncoderOptions = {},
): OnnxModel => {
  const graph = new GraphBuilder();
  const positions = encoder.weightOf('/Add_2');
  const features = graph.input('features', DATA_TYPE.float, [1, melBinsOf(encoder), 'frames']);
  const first = convolve(graph, encoder, '/conv1', features, 1);
  const second = convolve(graph, encoder, '/conv2', first, 2);
  const byTime = graph.op('Transpose', [second], { attributes: { perm: [0, 2, 1] } });
  const length = graph.op('Shape', [byTime], { attributes: { start: 1, end: 2 } });
  const table = graph.op('Slice', [graph.tensor(positions), graph.integers([0]), length, graph.integers([0])]);
  let sum = graph.op('Add', [byTime, table]);
  let normed = layerNorm(graph, encoder, '/layers.0/self_attn_layer_norm', sum);
  const layers = encoder.layers('/layers', 'fc1');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `/layers.${layer}`;
    const parts = ['q_proj', 'k_proj', 'v_proj'].map((part) => `${prefix}/self_attn/${part}`);
    const [query, key, value] = projectTogether(graph, encoder, parts, normed);
    const headSize = encoder.matrix(parts[0]!).weights.dims[1]! / heads;
    const mixed = attendToPast(graph, layer, heads, headSize, [query!, key!, value!], 'all');
    const attended = linear(graph, encoder, `${prefix}/self_attn/out_proj`, mixed);
    [normed, sum] = addAndNorm(graph, encoder, `${prefix}/final_layer_norm`, sum, attended);
    const nextNorm = layer + 1 < layers ? `/layers.${layer + 1}/self_attn_layer_norm` : '/layer_norm';
    const forward = feedForward(graph, encoder, prefix, normed, outliers[layer]);
    if (showsHidden) {
      graph.op('Identity', [forward.hidden], { name: hiddenOutput(layer) });
      graph.output(hiddenOutput(layer), DATA_TYPE.float, [1, 'positions', 'units']);
    }
    [normed, sum] = addAndNorm(graph, encoder, nextNorm, sum, forward.sum);
  }
  audioKeysAndValues(graph, decoder, normed, heads);
  return graph.build('whisper_encoder');
};

/** Kernels of an int8 export are bytes; others stay floats, which costs little. */
const kernelOf = (weights: WeightFinder, layer: string): QuantizedMatrix | OnnxTensor => {
  const whole = `${layer}/Conv`;
  if (weights.has(whole)) return inSinglePrecision(weights.tensor(weights.node(whole).inputs[1] ?? ''));
  const node = weights.node(`${layer}/Conv_quant`);
  if (node.opType !== 'ConvInteger') throw new UnknownGraph(`"${node.name}" is not an int8 convolution`);
  return weights.quantized(node.inputs[1] ?? '');
};

export const melBinsOf = (weights: WeightFinder): number => {
  const kernel = kernelOf(weights, '/conv1');
  return ('weights' in kernel ? kernel.weights : kernel).dims[1]!;
};

const convolve = (graph: GraphBuilder, weights: WeightFinder, layer: string, x: string, stride: number): string => {
  const kernel = kernelOf(weights, layer);
  const bias = inSinglePrecision(weights.tensor(`${layer.slice(1)}.bias`));
  const attributes = { dilations: [1], group: 1, kernel_shape: [3], pads: [1, 1], strides: [stride] };
  if (!('weights' in kernel)) {
    return graph.fused('Gelu', [graph.op('Conv', [x, graph.tensor(kernel), graph.tensor(bias)], { attributes })]);
  }
  const [bytes, scale, zero] = graph.ops('DynamicQuantizeLinear', [x], ['', '', '']);
  const product = graph.op(
    'ConvInteger',
    [bytes!, graph.tensor(kernel.weights), zero!, graph.tensor(kernel.zeroPoint)],
    { attributes },
  );
  const scales = graph.op('Mul', [scale!, graph.tensor(kernel.scale)]);
  const scaled = graph.op('Mul', [graph.op('Cast', [product], { attributes: { to: DATA_TYPE.float } }), scales]);
  const column = { ...bias, dims: [1, bias.dims[0]!, 1] };
  return graph.fused('Gelu', [graph.op('Add', [scaled, graph.tensor(column)])]);
};
