// Builds Whisper's decoder graph from its weights: one graph for the prompt, a draft and single tokens, with fused
// attention and an int8 vocabulary product.
import { GraphBuilder } from '../../graph/build.ts';
import {
  addAndNorm,
  attendToAudio,
  attendToPast,
  biasGelu,
  embedTokens,
  layerNorm,
  linear,
  outputLogits,
  projectTogether,
} from '../../graph/layers.ts';
import { transposed } from '../../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel } from '../../graph/onnx.ts';
import type { WeightFinder } from '../../graph/weights.ts';

/** `alignmentLayers` output their cross-attention, for word times. */
export const buildWhisperDecoder = (
  weights: WeightFinder,
  heads: number,
  alignmentLayers: ReadonlySet<number>,
): OnnxModel => {
  const graph = new GraphBuilder();
  const root = '/model/decoder';
  const embedding = weights.table(`${root}/embed_tokens/Gather`);
  const [vocabulary = 0, width = 0] = embedding.weights.dims;
  const headSize = width / heads;
  const tokens = graph.input('tokens', DATA_TYPE.int64, [1, 'tokens']);
  const positions = graph.input('positions', DATA_TYPE.int64, [1, 'tokens']);
  const rows = graph.input('rows', DATA_TYPE.int64, ['rows']);
  const attentionMask = graph.input('sight', DATA_TYPE.float, [1, 1, 'tokens', 'present']);

  const table = weights.weightOf(`${root}/embed_positions/Slice`);
  let sum = graph.op('Add', [
    embedTokens(graph, embedding, tokens),
    graph.op('Gather', [graph.tensor(table), positions]),
  ]);
  let normed = layerNorm(graph, weights, `${root}/layers.0/self_attn_layer_norm`, sum);
  const layers = weights.layers(`${root}/layers`, 'fc1');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `${root}/layers.${layer}`;
    const parts = ['q_proj', 'k_proj', 'v_proj'].map((part) => `${prefix}/self_attn/${part}`);
    const [query, key, value] = projectTogether(graph, weights, parts, normed);
    const mixed = attendToPast(graph, layer, heads, headSize, [query!, key!, value!], { mask: attentionMask });
    const attended = linear(graph, weights, `${prefix}/self_attn/out_proj`, mixed);
    [normed, sum] = addAndNorm(graph, weights, `${prefix}/encoder_attn_layer_norm`, sum, attended);
    const audioQuery = linear(graph, weights, `${prefix}/encoder_attn/q_proj`, normed);
    const attendedAudio = attendToAudio(graph, layer, heads, headSize, audioQuery, alignmentLayers.has(layer));
    const projectedAudio = linear(graph, weights, `${prefix}/encoder_attn/out_proj`, attendedAudio);
    [normed, sum] = addAndNorm(graph, weights, `${prefix}/final_layer_norm`, sum, projectedAudio);
    const nextNorm = layer + 1 < layers ? `${root}/layers.${layer + 1}/self_attn_layer_norm` : `${root}/layer_norm`;
    const activated = biasGelu(graph, weights, `${prefix}/fc1`, normed);
    [normed, sum] = addAndNorm(graph, weights, nextNorm, sum, linear(graph, weights, `${prefix}/fc2`, activated));
  }
  const wanted = graph.op('Gather', [normed, rows], { attributes: { axis: 1 } });
  const logits = graph.linear(wanted, transposed('vocabulary', embedding));
  outputLogits(graph, logits, vocabulary, 'rows');
  return graph.build('whisper_decoder');
};
