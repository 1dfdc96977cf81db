// Builds Moonshine's decoder graph from its weights: one graph for every step, with an int8 vocabulary product.
import { GraphBuilder } from '../graph/build.ts';
import {
  addAndNorm,
  attendToAudio,
  attendToPast,
  embedTokens,
  layerNorm,
  linear,
  outputLogits,
  projectTogether,
} from '../graph/layers.ts';
import { transposed } from '../graph/matrices.ts';
import { DATA_TYPE, type OnnxModel } from '../graph/onnx.ts';
import { rotary } from '../graph/rotary.ts';
import type { WeightFinder } from '../graph/weights.ts';

/** Enough for 30 s of speech. */
const POSITIONS_MAX = 512;

export const buildMoonshineDecoder = (
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
  let sum = embedTokens(graph, embedding, tokens);
  let normed = layerNorm(graph, weights, `${root}/layers.0/input_layernorm`, sum);
  const rotate = rotary(graph, weights.weightOf(`${root}/rotary_emb/MatMul`), heads, POSITIONS_MAX, positions);
  const layers = weights.layers(`${root}/layers`, 'mlp/up_proj');
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `${root}/layers.${layer}`;
    const parts = ['q_proj', 'k_proj', 'v_proj'].map((part) => `${prefix}/self_attn/${part}`);
    const [query, key, value] = projectTogether(graph, weights, parts, normed);
    const mixed = attendToPast(graph, layer, heads, headSize, [rotate(query!), rotate(key!), value!], 'before');
    const attended = linear(graph, weights, `${prefix}/self_attn/dense`, mixed);
    [normed, sum] = addAndNorm(graph, weights, `${prefix}/post_attention_layernorm`, sum, attended);
    const audioQuery = linear(graph, weights, `${prefix}/encoder_attn/q_proj`, normed);
    const attendedAudio = attendToAudio(graph, layer, heads, headSize, audioQuery, alignmentLayers.has(layer));
    const projectedAudio = linear(graph, weights, `${prefix}/encoder_attn/dense`, attendedAudio);
    [normed, sum] = addAndNorm(graph, weights, `${prefix}/final_layernorm`, sum, projectedAudio);
    const nextNorm = layer + 1 < layers ? `${root}/layers.${layer + 1}/input_layernorm` : `${root}/norm`;
    [normed, sum] = addAndNorm(
      graph,
      weights,
      nextNorm,
      sum,
      gatedFeedForward(graph, weights, `${prefix}/mlp`, normed),
    );
  }
  const logits = graph.linear(normed, transposed('vocabulary', embedding));
  outputLogits(graph, logits, vocabulary, 'tokens');
  return graph.build('moonshine_decoder');
};

const gatedFeedForward = (graph: GraphBuilder, weights: WeightFinder, layer: string, x: string): string => {
  const wide = linear(graph, weights, `${layer}/up_proj`, x);
  const [straight, gate] = graph.ops('Split', [wide], ['', ''], { attributes: { axis: 2 } });
  // With alpha 1, QuickGelu is SiLU.
  const opened = graph.fused('QuickGelu', [gate!], { alpha: 1 });
  return linear(graph, weights, `${layer}/down_proj`, graph.op('Mul', [opened, straight!]));
};
