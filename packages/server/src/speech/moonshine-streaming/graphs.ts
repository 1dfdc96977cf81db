// Adapts the graphs of a Moonshine streaming export to the Moonshine interface: samples to a state, tokens to logits.
import { Tensor } from 'onnxruntime-node';
import { openSession } from '../acoustic/open-session.ts';
import { DECODER_THREADS } from '../acoustic/session-options.ts';
import { shorten, type Tensors } from '../acoustic/token-cache.ts';
import { logSumExp } from '../decoding/choose-token.ts';
import { UnknownGraph } from '../graph/unknown-graph.ts';
import type { MoonshineGraphs } from '../moonshine/graphs.ts';
import type { AttentionMap } from '../words/align.ts';
import { graphPath, readStreamingConfig } from './config.ts';
import { openStreamingEncoder } from './encoder-graphs.ts';
import { AudioStreams } from './streams.ts';

/** 320 samples. */
const FRAME_MS = 20;
const ATTENTION = /^cross_attentions\./;
/** Word times need attention, which only this decoder outputs. */
const DECODER = 'decoder_kv_with_attention';
/** Floor for attention: it is output as a probability, but aligned by its logarithm. */
const ATTENTION_MIN = 1e-9;

export const loadStreamingGraphs = async (folder: string, threads: number): Promise<MoonshineGraphs> => {
  const config = await readStreamingConfig(folder);
  const encoder = await openStreamingEncoder(folder, config, threads);
  const decoder = await openSession(graphPath(folder, DECODER), DECODER_THREADS);
  // It is not known which heads follow the audio; most heads in the upper half of the layers do.
  const attentionNames = decoder.outputNames.filter((name) => ATTENTION.test(name)).slice(config.depth >> 1);
  if (attentionNames.length === 0) throw new UnknownGraph(`${DECODER} has no attention outputs`);
  const streams = new AudioStreams(encoder);
  const { depth, nheads: heads, head_dim: size } = config;
  const rows = depth * heads;
  /** The cache is kept as one layer with all heads, so that it can be shortened like the caches of other decoders. */
  const byLayer = (cache: Tensor): Tensor => cache.reshape([depth, 1, heads, cache.dims[2]!, size]);
  const asOneLayer = (cache: Tensor): Tensor => cache.reshape([1, rows, cache.dims[3]!, size]);
  const run = (tokens: readonly number[], { audio, past }: { audio: Tensors; past: Tensors }, names: string[]) =>
    decoder.run(
      {
        token: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
        k_self: byLayer(past.k_self!),
        v_self: byLayer(past.v_self!),
        ...audio,
      },
      names,
    ) as Promise<Tensors>;
  const attentionOf = (output: Tensors): AttentionMap[] => attentionNames.map((name) => meanMap(output[name]!));

  return {
    frameMs: FRAME_MS,
    leadMs: 0,
    async encode(samples) {
      const { keys, values, frames } = await streams.read(samples);
      const cross = (data: Float32Array) => new Tensor('float32', data, [depth, 1, heads, frames, size]);
      const empty = new Tensor('float32', new Float32Array(0), [1, rows, 0, size]);
      return {
        audio: { out_k_cross: cross(keys), out_v_cross: cross(values) },
        past: { k_self: empty, v_self: empty },
        tokens: 0,
      };
    },
    async decode(tokens, state, wantAttention) {
      const names = ['logits', 'out_k_self', 'out_v_self', ...(wantAttention ? attentionNames : [])];
      const output = await run(tokens, state, names);
      const logits = output.logits!.data as Float32Array;
      const width = logits.length / tokens.length;
      return {
        rows: tokens.map((_, i) => {
          const row = logits.subarray(i * width, (i + 1) * width);
          return { logits: row, logSum: logSumExp(row, 0, width) };
        }),
        state: {
          audio: state.audio,
          past: { k_self: asOneLayer(output.out_k_self!), v_self: asOneLayer(output.out_v_self!) },
          tokens: state.tokens + tokens.length,
        },
        attention: wantAttention ? attentionOf(output) : [],
      };
    },
    shorten,
    attend: async (tokens, state) => attentionOf(await run(tokens, state, attentionNames)),
    async close() {
      await encoder.close();
      await decoder.release();
    },
  };
};

/** The logarithm of the mean over the heads of [1, heads, tokens, frames]. */
const meanMap = ({ data, dims }: Tensor): AttentionMap => {
  const [, heads = 1, tokens = 0, frames = 0] = dims;
  const values = data as Float32Array;
  const scores = new Float32Array(tokens * frames);
  for (let at = 0; at < values.length; at++) scores[at % scores.length]! += values[at]! / heads;
  return { scores: scores.map((value) => Math.log(Math.max(ATTENTION_MIN, value))), frames };
};
