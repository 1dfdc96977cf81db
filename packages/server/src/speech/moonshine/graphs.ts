// Runs the two compiled graphs of a Moonshine: samples to a decoder state, tokens and state to logits.
import '../../lib/process/no-telemetry.ts';
import { join } from 'node:path';
import { Tensor } from 'onnxruntime-node';
import { COMPILED_FILES } from '../acoustic/compiled-files.ts';
import { TensorsInUse } from '../acoustic/free-tensors.ts';
import { openSession } from '../acoustic/open-session.ts';
import { DECODER_THREADS } from '../acoustic/session-options.ts';
import { type DecoderState, type DecoderStep, shorten, type Tensors } from '../acoustic/token-cache.ts';
import { type AttentionMap, headMap } from '../words/align.ts';
import { alignmentHeads } from './alignment.ts';

/** Its rows are those of all tokens. */
interface MoonshineStep extends DecoderStep {
  /** Cross-attention of each alignment head, per token; empty unless requested. */
  readonly attention: readonly AttentionMap[];
}

export interface MoonshineGraphs {
  /** Duration of one encoder position. */
  readonly frameMs: number;
  /** How long before a word starts the attention moves to it. */
  readonly leadMs: number;
  encode(samples: Float32Array): Promise<DecoderState>;
  /** Decodes tokens after those in the state. */
  decode(tokens: readonly number[], state: DecoderState, wantAttention: boolean): Promise<MoonshineStep>;
  /** The state with only the first `tokens` tokens. */
  shorten(state: DecoderState, tokens: number): DecoderState;
  /** Cross-attention of each alignment head, per token. */
  attend(tokens: readonly number[], state: DecoderState): Promise<readonly AttentionMap[]>;
  /** Frees all encoded audio. */
  freeAudio?(): void;
  close(): Promise<void>;
}

/** 384 samples. */
const FRAME_MS = 24;

/** The same for all sizes. */
export const ATTENTION_HEADS = 8;

export const loadMoonshineGraphs = async (compiledFolder: string, threads: number): Promise<MoonshineGraphs> => {
  const encoder = await openSession(join(compiledFolder, COMPILED_FILES.encoder), threads);
  const decoder = await openSession(join(compiledFolder, COMPILED_FILES.decoder), DECODER_THREADS);
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past.'));
  const presentNames = pastNames.map((name) => name.replace('past', 'present'));
  const outputNames = ['logits', 'log_sums', ...presentNames];
  const { heads, leadMs } = alignmentHeads(pastNames.length / 2);
  const attentionNames = [...new Set(heads.map(([layer]) => `attention.${layer}`))];
  const integers = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const attentionOf = (output: Tensors): AttentionMap[] =>
    heads.map(([layer, head]) => headMap(output[`attention.${layer}`]!, head));

  const encoded = new TensorsInUse();

  return {
    frameMs: FRAME_MS,
    leadMs,
    async encode(samples) {
      const audio = (await encoder.run({
        samples: new Tensor('float32', samples, [1, 1, samples.length]),
      })) as Tensors;
      encoded.add(audio);
      const headSize = audio['audio.0.key']!.dims[3]!;
      const empty = new Tensor('float32', new Float32Array(0), [1, ATTENTION_HEADS, 0, headSize]);
      return { audio, past: Object.fromEntries(pastNames.map((name) => [name, empty])), tokens: 0 };
    },
    async decode(tokens, { audio, past, tokens: before }, wantAttention) {
      const positions = integers(tokens.map((_, i) => before + i));
      const feeds = { ...audio, ...past, tokens: integers(tokens), positions };
      const names = wantAttention ? [...outputNames, ...attentionNames] : outputNames;
      const output = (await decoder.run(feeds, names)) as Tensors;
      const logits = output.logits!.data as Float32Array;
      const logSums = output.log_sums!.data as Float32Array;
      const size = logits.length / tokens.length;
      const present = pastNames.map((name, i) => [name, output[presentNames[i]!] as Tensor]);
      return {
        rows: tokens.map((_, i) => ({ logits: logits.subarray(i * size, (i + 1) * size), logSum: logSums[i]! })),
        state: { audio, past: Object.fromEntries(present), tokens: before + tokens.length },
        attention: wantAttention ? attentionOf(output) : [],
      };
    },
    shorten,
    async attend(tokens, { audio, past }) {
      const feeds = { ...audio, ...past, tokens: integers(tokens), positions: integers(tokens.map((_, i) => i)) };
      const output = (await decoder.run(feeds, attentionNames)) as Tensors;
      return attentionOf(output);
    },
    freeAudio: () => encoded.free(),
    async close() {
      await encoder.release();
      await decoder.release();
    },
  };
};
