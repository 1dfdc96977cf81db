// Transformer layers shared by the models: projections, norms and attention.
import type { GraphBuilder, QuantizedMatrix } from './build.ts';
import { biasesSideBySide, dequantized, floatsOf, floatTensor, linesOf, sideBySide } from './matrices.ts';
import { DATA_TYPE } from './onnx.ts';
import type { WeightFinder } from './weights.ts';

const NORM_EPSILON = 1e-5;

export const linear = (graph: GraphBuilder, weights: WeightFinder, layer: string, x: string): string =>
  graph.linear(x, weights.matrix(layer), weights.bias(layer) ?? undefined);

/** Token embeddings, from the table that is also the output projection. */
export const embedTokens = (graph: GraphBuilder, table: QuantizedMatrix, tokens: string): string => {
  const bytes = graph.op('Gather', [graph.tensor(table.weights), tokens]);
  const scale = graph.tensor(table.scale);
  if (table.scale.dims.length === 0 || table.scale.dims[0] === 1)
    return graph.op('DequantizeLinear', [bytes, scale, graph.tensor(table.zeroPoint)]);
  // One scale per token.
  const zeros = graph.op('Cast', [graph.op('Gather', [graph.tensor(table.zeroPoint), tokens])], {
    attributes: { to: DATA_TYPE.float },
  });
  const column = (values: string) => graph.op('Unsqueeze', [values, graph.integers([-1])]);
  const steps = graph.op('Sub', [graph.op('Cast', [bytes], { attributes: { to: DATA_TYPE.float } }), column(zeros)]);
  return graph.op('Mul', [steps, column(graph.op('Gather', [scale, tokens]))]);
};

/** Several projections of one input as a single product. */
export const projectTogether = (
  graph: GraphBuilder,
  weights: WeightFinder,
  layers: readonly string[],
  x: string,
  results = layers.map(() => ''),
): string[] => {
  const name = layers.join('+');
  const matrices = layers.map((layer) => weights.matrix(layer));
  const biases = layers.map((layer) => weights.bias(layer));
  const bias = biases.some((part) => part !== null)
    ? biasesSideBySide(`${name}_bias`, biases, matrices[0]!.weights.dims[1]!)
    : undefined;
  const product = graph.linear(x, sideBySide(name, matrices), bias);
  return graph.ops('Split', [product], results, { attributes: { axis: 2 } });
};

export const biasGelu = (graph: GraphBuilder, weights: WeightFinder, layer: string, x: string): string =>
  graph.fused('BiasGelu', [graph.linear(x, weights.matrix(layer)), graph.tensor(weights.weightOf(`${layer}/Add`))]);

/**
 * A layer's feed-forward part. Bytes cover the range of all hidden units, so a few units with very large values leave
 * the others a few steps: these `outliers` are multiplied in single precision.
 */
export const feedForward = (
  graph: GraphBuilder,
  weights: WeightFinder,
  prefix: string,
  x: string,
  outliers: readonly number[] = [],
): { readonly hidden: string; readonly sum: string } => {
  const [first, second] = [`${prefix}/fc1`, `${prefix}/fc2`];
  if (outliers.length === 0) {
    const hidden = biasGelu(graph, weights, first, x);
    return { hidden, sum: linear(graph, weights, second, hidden) };
  }
  const [into, outOf] = [weights.matrix(first), weights.matrix(second)];
  const isOutlier = new Set(outliers);
  const others = [...Array(into.weights.dims[1]).keys()].filter((unit) => !isOutlier.has(unit));
  const biases = floatsOf(weights.weightOf(`${first}/Add`));
  const biasOf = (name: string, units: readonly number[]) =>
    graph.tensor(
      floatTensor(
        `${first}_${name}_bias`,
        Float32Array.from(units, (unit) => biases[unit]!),
      ),
    );
  const hidden = graph.fused('BiasGelu', [graph.linear(x, linesOf('column', into, others)), biasOf('others', others)]);
  const multiplied = (values: string, matrix: QuantizedMatrix) =>
    graph.op('MatMul', [values, graph.tensor(dequantized(matrix))]);
  const large = graph.fused('BiasGelu', [
    multiplied(x, linesOf('column', into, outliers)),
    biasOf('outliers', outliers),
  ]);
  const sum = graph.linear(hidden, linesOf('row', outOf, others), weights.bias(second) ?? undefined);
  return { hidden, sum: graph.op('Add', [sum, multiplied(large, linesOf('row', outOf, outliers))]) };
};

export const layerNorm = (graph: GraphBuilder, weights: WeightFinder, layer: string, x: string): string =>
  graph.op('LayerNormalization', [x, ...normInputs(graph, weights, layer)], {
    attributes: { axis: -1, epsilon: NORM_EPSILON },
  });

/** Layer norm of a sum: [norm, sum]. The fused operator, SkipLayerNormalization, takes three times as long. */
export const addAndNorm = (
  graph: GraphBuilder,
  weights: WeightFinder,
  layer: string,
  a: string,
  b: string,
): [string, string] => {
  const sum = graph.op('Add', [a, b]);
  return [layerNorm(graph, weights, layer, sum), sum];
};

const normInputs = (graph: GraphBuilder, weights: WeightFinder, layer: string): string[] => {
  const { weight, bias } = weights.norm(layer);
  return bias ? [graph.tensor(weight), graph.tensor(bias)] : [graph.tensor(weight)];
};

export const PARTS = ['key', 'value'] as const;

/** Appends other positions to values along an axis; `dims` are those of the appended. `result` names the output. */
export type Follow = (
  values: string,
  name: string,
  dims: readonly (number | string)[],
  axis: number,
  result?: string,
) => string;

/** Outputs the cross-attention keys and values of the audio, which are constant during decoding. */
export const audioKeysAndValues = (
  graph: GraphBuilder,
  decoder: WeightFinder,
  audio: string,
  heads: number,
  follow?: Follow,
): void => {
  const layers = decoder.layers('/model/decoder/layers', 'encoder_attn/k_proj');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `/model/decoder/layers.${layer}/encoder_attn`;
    const headSize = decoder.matrix(`${prefix}/k_proj`).weights.dims[1]! / heads;
    const parts = projectTogether(graph, decoder, [`${prefix}/k_proj`, `${prefix}/v_proj`], audio);
    for (const [i, part] of PARTS.entries()) {
      const name = `audio.${layer}.${part}`;
      const split = graph.op('Reshape', [parts[i]!, graph.integers([0, 0, heads, headSize])]);
      const turned = { attributes: { perm: [0, 2, 1, 3] } };
      if (follow) follow(graph.op('Transpose', [split], turned), name, [1, heads, 'silence', headSize], 2, name);
      else graph.op('Transpose', [split], { ...turned, name });
      graph.output(name, DATA_TYPE.float, [1, heads, 'audio', headSize]);
    }
  }
};

/** Self-attention, with the cache as `past.*` inputs and `present.*` outputs. */
export const attendToPast = (
  graph: GraphBuilder,
  layer: number,
  heads: number,
  headSize: number,
  [query, key, value]: readonly [string, string, string],
  /** Which positions each one attends to: those before it, or those of a mask that is added to the scores. */
  attentionMask: 'before' | { readonly mask: string },
): string => {
  const past = PARTS.map((part) => graph.input(`past.${layer}.${part}`, DATA_TYPE.float, [1, heads, 'past', headSize]));
  const present = PARTS.map((part) => `present.${layer}.${part}`);
  for (const name of present) graph.output(name, DATA_TYPE.float, [1, heads, 'present', headSize]);
  const inputs = [query, key, value, '', '', typeof attentionMask === 'string' ? '' : attentionMask.mask, ...past];
  const [mixed] = graph.ops('MultiHeadAttention', inputs, ['', ...present], {
    domain: 'com.microsoft',
    attributes: { num_heads: heads, unidirectional: attentionMask === 'before' ? 1 : 0 },
  });
  return mixed!;
};

/** Cross-attention to the audio; outputs its raw scores as `attention.*` if requested. */
export const attendToAudio = (
  graph: GraphBuilder,
  layer: number,
  heads: number,
  headSize: number,
  query: string,
  wantScores: boolean,
): string => {
  const audio = PARTS.map((part) =>
    graph.input(`audio.${layer}.${part}`, DATA_TYPE.float, [1, heads, 'audio', headSize]),
  );
  const scores = `attention.${layer}`;
  if (wantScores) graph.output(scores, DATA_TYPE.float, [1, heads, 'tokens', 'audio']);
  const [attended] = graph.ops('MultiHeadAttention', [query, ...audio], wantScores ? ['', null, null, scores] : [''], {
    domain: 'com.microsoft',
    attributes: { num_heads: heads },
  });
  return attended!;
};

/**
 * Outputs the logits and their log-sum-exp, which is slow to compute outside the graph, and with ReduceLogSumExp. It is
 * the difference between any logit and its log-softmax.
 */
export const outputLogits = (graph: GraphBuilder, logits: string, vocabulary: number, rows: string): void => {
  graph.op('Identity', [logits], { name: 'logits' });
  const logProbabilities = graph.op('LogSoftmax', [logits], { attributes: { axis: -1 } });
  const first = (values: string) => graph.op('Gather', [values, graph.integers([0], [])], { attributes: { axis: 2 } });
  graph.op('Sub', [first(logits), first(logProbabilities)], { name: 'log_sums' });
  graph.output('logits', DATA_TYPE.float, [1, rows, vocabulary]);
  graph.output('log_sums', DATA_TYPE.float, [1, rows]);
};
