// Builds Moonshine's encoder graph from its weights: samples in, the decoder's cross-attention keys and values out.
import { GraphBuilder } from '../graph/build.ts';
import { convolveInTime } from '../graph/convolution.ts';
import { addAndNorm, audioKeysAndValues, biasGelu, layerNorm, linear, projectTogether } from '../graph/layers.ts';
import { floatsOf } from '../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel, type OnnxTensor } from '../graph/onnx.ts';
import { rotary } from '../graph/rotary.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import type { WeightFinder } from '../graph/weights.ts';

/** Enough for 30 s: an encoder position is 384 samples. */
const POSITIONS_MAX = 2048;

export const buildMoonshineEncoder = (encoder: WeightFinder, decoder: WeightFinder, heads: number): OnnxModel => {
  const graph = new GraphBuilder();
  const samples = graph.input('samples', DATA_TYPE.float, [1, 1, 'samples']);
  const waves = graph.op('Tanh', [convolveSamples(graph, encoder, samples)]);
  const byTime = graph.op('Transpose', [groupNorm(graph, encoder, waves)], { attributes: { perm: [0, 2, 1] } });
  let sum = convolve(graph, encoder, 'conv3', convolve(graph, encoder, 'conv2', byTime, 3), 2);
  let normed = layerNorm(graph, encoder, '/layers.0/input_layernorm', sum);
  const rotate = rotary(graph, encoder.weightOf('/rotary_emb/MatMul'), heads, POSITIONS_MAX, graph.integers([0]));
  const layers = encoder.layers('/layers', 'mlp/fc1');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `/layers.${layer}`;
    const parts = ['q_proj', 'k_proj', 'v_proj'].map((part) => `${prefix}/self_attn/${part}`);
    const [query, key, value] = projectTogether(graph, encoder, parts, normed);
    const mixed = graph.fused('MultiHeadAttention', [rotate(query!), rotate(key!), value!], { num_heads: heads });
    const attended = linear(graph, encoder, `${prefix}/self_attn/dense`, mixed);
    [normed, sum] = addAndNorm(graph, encoder, `${prefix}/post_attention_layernorm`, sum, attended);
    const nextNorm = layer + 1 < layers ? `/layers.${layer + 1}/input_layernorm` : '/layer_norm';
    const activated = biasGelu(graph, encoder, `${prefix}/mlp/fc1`, normed);
    [normed, sum] = addAndNorm(graph, encoder, nextNorm, sum, linear(graph, encoder, `${prefix}/mlp/fc2`, activated));
  }
  audioKeysAndValues(graph, decoder, normed, heads);
  return graph.build('moonshine_encoder');
};

const convolveSamples = (graph: GraphBuilder, weights: WeightFinder, samples: string): string => {
  const kernel = kernelOf(weights, 'conv1');
  return graph.op('Conv', [samples, graph.tensor(kernel)], {
    attributes: { dilations: [1], group: 1, kernel_shape: [kernel.dims[2]!], pads: [0, 0], strides: [64] },
  });
};

const convolve = (graph: GraphBuilder, weights: WeightFinder, layer: string, x: string, stride: number): string => {
  const product = convolveInTime(graph, x, kernelOf(weights, layer), { stride, padding: 0 });
  return graph.fused('BiasGelu', [product, graph.tensor(weights.tensor(`${layer}.bias`))]);
};

/**
 * Kernels are stored as bytes with a scale and an offset, and converted to float32: a few inputs are so much larger than
 * the others that bytes would lose them.
 */
const kernelOf = (weights: WeightFinder, layer: string): OnnxTensor => {
  const bytes = weights.tensor(`${layer}.weight_quantized`);
  if (bytes.dataType !== DATA_TYPE.int8) throw new UnknownGraph(`the kernel of "${layer}" is not int8`);
  const scale = floatsOf(weights.tensor(`${layer}.weight_scale`))[0]!;
  const offset = floatsOf(weights.tensor(`${layer}.weight_zero_point`))[0]!;
  const values = Float32Array.from(bytes.data, (byte) => Math.fround(((byte << 24) >> 24) * scale) + offset);
  return {
    name: `${layer}.weight`,
    dims: bytes.dims,
    dataType: DATA_TYPE.float,
    data: new Uint8Array(values.buffer),
  };
};

/** One group over all channels and time steps. */
const groupNorm = (graph: GraphBuilder, weights: WeightFinder, x: string): string => {
  const node = weights.node('/groupnorm/InstanceNormalization');
  const flat = graph.op('Reshape', [x, graph.integers([0, 1, -1])]);
  const normed = graph.op(
    'InstanceNormalization',
    [flat, graph.tensor(weights.tensor(node.inputs[1]!)), graph.tensor(weights.tensor(node.inputs[2]!))],
    { attributes: { epsilon: 1e-5 } },
  );
  const back = graph.op('Reshape', [normed, graph.op('Shape', [x])]);
  const scaled = graph.op('Mul', [back, graph.tensor(weights.weightOf('/groupnorm/Mul'))]);
  return graph.op('Add', [scaled, graph.tensor(weights.weightOf('/groupnorm/Add'))]);
};
