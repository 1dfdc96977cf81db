// Builds Whisper's encoder graph from its weights: any window up to 30 s, fused attention. It outputs the decoder's
// cross-attention keys and values, so that the decoder needs no separate first step. Silence that was encoded before can
// follow the window: `encoder.ts` passes it.
import { GraphBuilder } from '../../graph/build.ts';
import { convolveInTime, type Kernel, kernelDims } from '../../graph/convolution.ts';
import {
  addAndNorm,
  audioKeysAndValues,
  type Follow,
  feedForward,
  layerNorm,
  linear,
  PARTS,
  projectTogether,
} from '../../graph/layers.ts';
import { inSinglePrecision } from '../../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel } from '../../graph/onnx.ts';
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

/** Graph inputs for encoded silence: which of its positions follow the window. */
export const SILENCE_RANGE = ['silence_from', 'silence_to'] as const;
/** The keys and values of silence are inputs with this prefix; an output of the same name, without it, computes them. */
export const SILENCE_PREFIX = 'silence.';

export const buildWhisperEncoder = (
  encoder: WeightFinder,
  decoder: WeightFinder,
  heads: number,
  { outliers = [], showsHidden = false }: EncoderOptions = {},
): OnnxModel => {
  const graph = new GraphBuilder();
  const positions = encoder.weightOf('/Add_2');
  const features = graph.input('features', DATA_TYPE.float, [1, melBinsOf(encoder), 'frames']);
  const byFrame = graph.op('Transpose', [features], { attributes: { perm: [0, 2, 1] } });
  const byTime = convolve(graph, encoder, '/conv2', convolve(graph, encoder, '/conv1', byFrame, 1), 2);
  const length = graph.op('Shape', [byTime], { attributes: { start: 1, end: 2 } });
  const table = graph.op('Slice', [graph.tensor(positions), graph.integers([0]), length, graph.integers([0])]);
  let sum = graph.op('Add', [byTime, table]);
  let normed = layerNorm(graph, encoder, '/layers.0/self_attn_layer_norm', sum);
  const range = SILENCE_RANGE.map((name) => graph.input(name, DATA_TYPE.int64, [1]));
  const followedBySilence: Follow = (values, name, dims, axis, result = '') => {
    const silence = graph.input(`${SILENCE_PREFIX}${name}`, DATA_TYPE.float, dims);
    const part = graph.op('Slice', [silence, ...range, graph.integers([axis])]);
    return graph.op('Concat', [values, part], { attributes: { axis }, name: result });
  };
  const width = positions.dims.at(-1)!;
  const layers = encoder.layers('/layers', 'fc1');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `/layers.${layer}`;
    const parts = ['q_proj', 'k_proj', 'v_proj'].map((part) => `${prefix}/self_attn/${part}`);
    const names = PARTS.map((part) => `encoder.${layer}.${part}`);
    const [query, ...ownParts] = projectTogether(graph, encoder, parts, normed, ['', ...names]);
    const attendedTo = ownParts.map((values) => {
      graph.output(values, DATA_TYPE.float, [1, 'positions', width]);
      return followedBySilence(values, values, [1, 'silence', width], 1);
    });
    const mixed = graph.fused('MultiHeadAttention', [query!, ...attendedTo], { num_heads: heads });
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
  audioKeysAndValues(graph, decoder, normed, heads, followedBySilence);
  return graph.build('whisper_encoder');
};

/** Kernels of an int8 export are bytes; others stay floats, which costs little. */
const kernelOf = (weights: WeightFinder, layer: string): Kernel => {
  const whole = `${layer}/Conv`;
  if (weights.has(whole)) return weights.tensor(weights.node(whole).inputs[1] ?? '');
  const node = weights.node(`${layer}/Conv_quant`);
  if (node.opType !== 'ConvInteger') throw new UnknownGraph(`"${node.name}" is not an int8 convolution`);
  return weights.quantized(node.inputs[1] ?? '');
};

export const melBinsOf = (weights: WeightFinder): number => kernelDims(kernelOf(weights, '/conv1'))[1]!;

const convolve = (graph: GraphBuilder, weights: WeightFinder, layer: string, x: string, stride: number): string => {
  const bias = inSinglePrecision(weights.tensor(`${layer.slice(1)}.bias`));
  const product = convolveInTime(graph, x, kernelOf(weights, layer), { stride, padding: 1 });
  return graph.fused('BiasGelu', [product, graph.tensor(bias)]);
};
