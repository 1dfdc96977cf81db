// The two compiled graphs of a Moonshine: samples to a memory, and tokens with that memory to logits.
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { COMPILED_FILES } from '../acoustic/compiled-files.ts';
import { DECODER_THREADS, sessionOptions } from '../acoustic/session-options.ts';
import type { LogitRow } from '../decoding/choose-token.ts';
import { type AttentionMap, headMap } from '../words/align.ts';
import { alignmentHeads } from './alignment.ts';

type Tensors = Readonly<Record<string, Tensor>>;

export interface MoonshineMemory {
  readonly audio: Tensors;
  readonly past: Tensors;
  readonly tokens: number;
}

export interface MoonshineGraphs {
  encode(samples: Float32Array): Promise<MoonshineMemory>;
  /** Decodes one token after those in the memory; gives the logits of the next. */
  decode(token: number, memory: MoonshineMemory): Promise<{ row: LogitRow; memory: MoonshineMemory }>;
  /** Attention to the audio of each alignment head, for each token given. */
  attend(tokens: readonly number[], memory: MoonshineMemory): Promise<readonly AttentionMap[]>;
  close(): Promise<void>;
}

/** The same in every size. */
export const ATTENTION_HEADS = 8;

export const loadMoonshineGraphs = async (compiledFolder: string, threads: number): Promise<MoonshineGraphs> => {
  const encoder = await InferenceSession.create(join(compiledFolder, COMPILED_FILES.encoder), sessionOptions(threads));
  const decoder = await InferenceSession.create(
    join(compiledFolder, COMPILED_FILES.decoder),
    sessionOptions(DECODER_THREADS),
  );
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past.'));
  const presentNames = pastNames.map((name) => name.replace('past', 'present'));
  const outputNames = ['logits', 'log_sums', ...presentNames];
  const heads = alignmentHeads(pastNames.length / 2);
  const attentionNames = [...new Set(heads.map(([layer]) => `attention.${layer}`))];
  const integers = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);

  return {
    async encode(samples) {
      const audio = (await encoder.run({
        samples: new Tensor('float32', samples, [1, 1, samples.length]),
      })) as Tensors;
      const headSize = audio['audio.0.key']!.dims[3]!;
      const empty = new Tensor('float32', new Float32Array(0), [1, ATTENTION_HEADS, 0, headSize]);
      return { audio, past: Object.fromEntries(pastNames.map((name) => [name, empty])), tokens: 0 };
    },
    async decode(token, { audio, past, tokens }) {
      const feeds = { ...audio, ...past, tokens: integers([token]), positions: integers([tokens]) };
      const output = await decoder.run(feeds, outputNames);
      const present = pastNames.map((name, i) => [name, output[presentNames[i]!] as Tensor]);
      return {
        row: {
          logits: output.logits!.data as Float32Array,
          logSum: (output.log_sums!.data as Float32Array)[0]!,
        },
        memory: { audio, past: Object.fromEntries(present), tokens: tokens + 1 },
      };
    },
    async attend(tokens, { audio, past }) {
      const feeds = { ...audio, ...past, tokens: integers(tokens), positions: integers(tokens.map((_, i) => i)) };
      const output = await decoder.run(feeds, attentionNames);
      return heads.map(([layer, head]) => headMap(output[`attention.${layer}`] as Tensor, head));
    },
    async close() {
      await encoder.release();
      await decoder.release();
    },
  };
};
