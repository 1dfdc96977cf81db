// The two compiled graphs of a Whisper: audio features to a memory, and tokens with that memory to logits.
import '../../platform/no-telemetry.ts';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { COMPILED_FILES } from '../acoustic/compiled-files.ts';
import { DECODER_THREADS, sessionOptions } from '../acoustic/session-options.ts';
import { placesOfAll, type Tensors } from '../acoustic/token-cache.ts';
import type { LogitRow } from '../decoding/choose-token.ts';
import { type AttentionMap, headMap } from '../words/align.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

/** What the decoder has before it: the audio's keys and values, and those of the tokens so far. */
export interface DecoderMemory {
  readonly audio: Tensors;
  readonly past: Tensors;
  readonly tokens: number;
}

interface DecoderStep {
  /** The logits after each token whose row was asked for. */
  readonly rows: readonly LogitRow[];
  readonly memory: DecoderMemory;
}

/** The next token of one of several texts that are decoded together. */
export interface Branch {
  readonly token: number;
  /** How many tokens stand before it in its text. */
  readonly position: number;
  /** Where in the memory they are. The token's own place comes after all that are there, in the order of the branches. */
  readonly places: readonly number[];
}

export interface WhisperGraphs {
  encode(features: Float32Array, frames: number): Promise<DecoderMemory>;
  /** Decodes tokens after those in the memory; `rows` are the tokens whose logits are wanted, the last by default. */
  decode(tokens: readonly number[], memory: DecoderMemory, rows?: readonly number[]): Promise<DecoderStep>;
  /** Decodes one token of each branch in one run; all of them look at the audio once. */
  decodeBranches(branches: readonly Branch[], memory: DecoderMemory): Promise<DecoderStep>;
  /** The same memory with only these places in it, in this order. */
  keep(memory: DecoderMemory, places: readonly number[]): DecoderMemory;
  /** Only the audio between two positions of the encoder (20 ms each), before any token. */
  part(memory: DecoderMemory, fromPosition: number, toPosition: number): DecoderMemory;
  /** The same memory with only the first so many tokens in it. */
  shorten(memory: DecoderMemory, tokens: number): DecoderMemory;
  /** Attention to the audio per [layer, head] of the tokenizer's alignment heads, for each token given. */
  attend(tokens: readonly number[], memory: DecoderMemory): Promise<readonly AttentionMap[]>;
  close(): Promise<void>;
}

const integers = (values: readonly number[], dims: readonly number[]): Tensor =>
  new Tensor('int64', BigInt64Array.from(values, BigInt), dims);

const pickPlaces = (cache: Tensor, places: readonly number[]): Tensor => {
  const [, heads = 0, all = 0, size = 0] = cache.dims;
  const data = cache.data as Float32Array;
  const kept = new Float32Array(heads * places.length * size);
  let at = 0;
  for (let head = 0; head < heads; head++) {
    for (const place of places) {
      kept.set(data.subarray((head * all + place) * size, (head * all + place + 1) * size), at);
      at += size;
    }
  }
  return new Tensor('float32', kept, [1, heads, places.length, size]);
};

/** Added to the score of a place that a token does not see. */
const UNSEEN = -1e9;

/** Each token sees all that stand before it. */
const sightOfSequence = (tokens: number, past: number): Tensor => {
  const width = past + tokens;
  const sight = new Float32Array(tokens * width);
  for (let token = 0; token < tokens; token++)
    sight.fill(UNSEEN, token * width + past + token + 1, (token + 1) * width);
  return new Tensor('float32', sight, [1, 1, tokens, width]);
};

/** Each token sees those of its own text. */
const sightOfBranches = (branches: readonly Branch[], past: number): Tensor => {
  const width = past + branches.length;
  const sight = new Float32Array(branches.length * width).fill(UNSEEN);
  for (const [row, { places }] of branches.entries()) {
    for (const place of places) sight[row * width + place] = 0;
    sight[row * width + past + row] = 0;
  }
  return new Tensor('float32', sight, [1, 1, branches.length, width]);
};

export const loadWhisperGraphs = async (
  compiledFolder: string,
  tokenizer: WhisperTokenizer,
  threads: number,
): Promise<WhisperGraphs> => {
  const encoder = await InferenceSession.create(join(compiledFolder, COMPILED_FILES.encoder), sessionOptions(threads));
  const decoder = await InferenceSession.create(
    join(compiledFolder, COMPILED_FILES.decoder),
    sessionOptions(DECODER_THREADS),
  );
  const { heads, headSize, melBins, size, alignmentHeads } = tokenizer;
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past.'));
  const presentNames = pastNames.map((name) => name.replace('past', 'present'));
  const empty = new Tensor('float32', new Float32Array(0), [1, heads, 0, headSize]);
  const nothing = Object.fromEntries(pastNames.map((name) => [name, empty]));
  const attentionNames = [...new Set(alignmentHeads.map(([layer]) => `attention.${layer}`))];

  const feeds = (tokens: readonly number[], positions: readonly number[], memory: DecoderMemory, sight: Tensor) => ({
    ...memory.audio,
    ...memory.past,
    sight,
    tokens: integers(tokens, [1, tokens.length]),
    positions: integers(positions, [1, tokens.length]),
  });
  const sequence = (tokens: readonly number[], memory: DecoderMemory) => {
    const positions = tokens.map((_, i) => memory.tokens + i);
    return feeds(tokens, positions, memory, sightOfSequence(tokens.length, memory.tokens));
  };
  const step = async (
    fed: ReturnType<typeof feeds>,
    rows: readonly number[],
    memory: DecoderMemory,
    tokens: number,
  ): Promise<DecoderStep> => {
    const asked = { ...fed, rows: integers(rows, [rows.length]) };
    const output = await decoder.run(asked, ['logits', 'log_sums', ...presentNames]);
    const logits = output.logits!.data as Float32Array;
    const logSums = output.log_sums!.data as Float32Array;
    return {
      rows: rows.map((_, row) => ({
        logits: logits.subarray(row * size, (row + 1) * size),
        logSum: logSums[row]!,
      })),
      memory: {
        audio: memory.audio,
        past: Object.fromEntries(pastNames.map((name, i) => [name, output[presentNames[i]!] as Tensor])),
        tokens: memory.tokens + tokens,
      },
    };
  };

  return {
    async encode(features, frames) {
      const audio = await encoder.run({ features: new Tensor('float32', features, [1, melBins, frames]) });
      return { audio: audio as Tensors, past: nothing, tokens: 0 };
    },
    decode: (tokens, memory, rows = [tokens.length - 1]) => step(sequence(tokens, memory), rows, memory, tokens.length),
    decodeBranches(branches, memory) {
      const tokens = branches.map(({ token }) => token);
      const positions = branches.map(({ position }) => position);
      const fed = feeds(tokens, positions, memory, sightOfBranches(branches, memory.tokens));
      const rows = branches.map((_, row) => row);
      return step(fed, rows, memory, branches.length);
    },
    keep: (memory, places) => ({
      ...memory,
      past: Object.fromEntries(Object.entries(memory.past).map(([name, cache]) => [name, pickPlaces(cache, places)])),
      tokens: places.length,
    }),
    part: (memory, fromPosition, toPosition) => ({
      audio: placesOfAll(memory.audio, fromPosition, toPosition),
      past: nothing,
      tokens: 0,
    }),
    shorten: (memory, tokens) =>
      memory.tokens <= tokens ? memory : { ...memory, past: placesOfAll(memory.past, 0, tokens), tokens },
    async attend(tokens, memory) {
      const asked = { ...sequence(tokens, memory), rows: integers([tokens.length - 1], [1]) };
      const output = await decoder.run(asked, attentionNames);
      return alignmentHeads.map(([layer, head]) => headMap(output[`attention.${layer}`] as Tensor, head));
    },
    async close() {
      await encoder.release();
      await decoder.release();
    },
  };
};
