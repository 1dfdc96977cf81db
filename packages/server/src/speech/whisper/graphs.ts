// Runs the two compiled graphs of a Whisper: features to a decoder state, tokens and state to logits.
import '../../lib/process/no-telemetry.ts';
import { join } from 'node:path';
import { Tensor } from 'onnxruntime-node';
import { COMPILED_FILES } from '../acoustic/compiled-files.ts';
import { TensorsInUse } from '../acoustic/free-tensors.ts';
import { openSession } from '../acoustic/open-session.ts';
import { DECODER_THREADS } from '../acoustic/session-options.ts';
import { type DecoderState, type DecoderStep, positionsOfAll, shorten, type Tensors } from '../acoustic/token-cache.ts';
import type { LogitRow } from '../decoding/choose-token.ts';
import { type AttentionMap, headMap } from '../words/align.ts';
import { makeEncoder } from './encoder.ts';
import type { WhisperTokenizer } from './tokenizer.ts';

export interface WhisperGraphs {
  /** `frames` have features; silence follows, up to `framesWithSilence`. */
  encode(features: Float32Array, frames: number, framesWithSilence: number): Promise<DecoderState>;
  /** Decodes tokens after those in the state; `rows`: the tokens whose logits are needed, by default the last. */
  decode(tokens: readonly number[], state: DecoderState, rows?: readonly number[]): Promise<DecoderStep>;
  /** The logits after each token of several texts, each of which continues after some tokens of the state. */
  decodeBranches(
    branches: readonly { readonly after: number; readonly tokens: readonly number[] }[],
    state: DecoderState,
  ): Promise<readonly (readonly LogitRow[])[]>;
  /** The audio between two encoder positions (20 ms each), without tokens. */
  part(state: DecoderState, fromPosition: number, toPosition: number): DecoderState;
  /** The state with only the first `tokens` tokens. */
  shorten(state: DecoderState, tokens: number): DecoderState;
  /** Cross-attention of the tokenizer's alignment heads, for each token. */
  attend(tokens: readonly number[], state: DecoderState): Promise<readonly AttentionMap[]>;
  /** Frees all encoded audio. */
  freeAudio(): void;
  close(): Promise<void>;
}

const integers = (values: readonly number[], dims: readonly number[]): Tensor =>
  new Tensor('int64', BigInt64Array.from(values, BigInt), dims);

/** Added to the attention score of a masked position. */
const UNSEEN = -1e9;

/** The causal attention mask: each token sees the tokens before it. */
const maskOf = (tokens: number, past: number): Tensor => {
  const width = past + tokens;
  const mask = new Float32Array(tokens * width);
  for (let token = 0; token < tokens; token++) mask.fill(UNSEEN, token * width + past + token + 1, (token + 1) * width);
  return new Tensor('float32', mask, [1, 1, tokens, width]);
};

const rowsOf = ({ logits, log_sums: sums }: Tensors, size: number): LogitRow[] =>
  Array.from(sums!.data as Float32Array, (logSum, row) => ({
    logits: (logits!.data as Float32Array).subarray(row * size, (row + 1) * size),
    logSum,
  }));

/** Each token sees the tokens of the state that come before its branch, and those before it in its branch. */
const maskOfBranches = (
  branches: readonly { readonly after: number; readonly tokens: readonly number[] }[],
  past: number,
): Tensor => {
  const count = branches.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const width = past + count;
  const mask = new Float32Array(count * width).fill(UNSEEN);
  let first = 0;
  for (const { after, tokens } of branches) {
    for (let row = first; row < first + tokens.length; row++) {
      mask.fill(0, row * width, row * width + after);
      mask.fill(0, row * width + past + first, row * width + past + row + 1);
    }
    first += tokens.length;
  }
  return new Tensor('float32', mask, [1, 1, count, width]);
};

export const loadWhisperGraphs = async (
  compiledFolder: string,
  tokenizer: WhisperTokenizer,
  threads: number,
): Promise<WhisperGraphs> => {
  const encoder = await openSession(join(compiledFolder, COMPILED_FILES.encoder), threads);
  const decoder = await openSession(join(compiledFolder, COMPILED_FILES.decoder), DECODER_THREADS);
  const { heads, headSize, size, alignmentHeads } = tokenizer;
  const encode = makeEncoder(encoder, tokenizer.melBins);
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past.'));
  const presentNames = pastNames.map((name) => name.replace('past', 'present'));
  const empty = new Tensor('float32', new Float32Array(0), [1, heads, 0, headSize]);
  const nothing = Object.fromEntries(pastNames.map((name) => [name, empty]));
  const attentionNames = [...new Set(alignmentHeads.map(([layer]) => `attention.${layer}`))];

  const feeds = (tokens: readonly number[], state: DecoderState, rows: readonly number[]) => ({
    ...state.audio,
    ...state.past,
    sight: maskOf(tokens.length, state.tokens),
    tokens: integers(tokens, [1, tokens.length]),
    positions: integers(
      tokens.map((_, i) => state.tokens + i),
      [1, tokens.length],
    ),
    rows: integers(rows, [rows.length]),
  });

  const encoded = new TensorsInUse();

  return {
    async encode(features, frames, framesWithSilence) {
      const audio = await encode(features, frames, framesWithSilence);
      encoded.add(audio);
      return { audio, past: nothing, tokens: 0 };
    },
    async decode(tokens, state, rows = [tokens.length - 1]) {
      const output = await decoder.run(feeds(tokens, state, rows), ['logits', 'log_sums', ...presentNames]);
      return {
        rows: rowsOf(output as Tensors, size),
        state: {
          audio: state.audio,
          past: Object.fromEntries(pastNames.map((name, i) => [name, output[presentNames[i]!] as Tensor])),
          tokens: state.tokens + tokens.length,
        },
      };
    },
    async decodeBranches(branches, state) {
      if (branches.length === 0) return [];
      const tokens = branches.flatMap((branch) => branch.tokens);
      const all = tokens.map((_, at) => at);
      const output = await decoder.run(
        {
          ...feeds(tokens, state, all),
          sight: maskOfBranches(branches, state.tokens),
          positions: integers(
            branches.flatMap((branch) => branch.tokens.map((_, at) => branch.after + at)),
            [1, tokens.length],
          ),
        },
        ['logits', 'log_sums'],
      );
      const rows = rowsOf(output as Tensors, size);
      let next = 0;
      return branches.map((branch) => {
        const first = next;
        next += branch.tokens.length;
        return rows.slice(first, next);
      });
    },
    part: (state, fromPosition, toPosition) => ({
      audio: positionsOfAll(state.audio, fromPosition, toPosition),
      past: nothing,
      tokens: 0,
    }),
    shorten,
    async attend(tokens, state) {
      const output = await decoder.run(feeds(tokens, state, [tokens.length - 1]), attentionNames);
      return alignmentHeads.map(([layer, head]) => headMap(output[`attention.${layer}`] as Tensor, head));
    },
    freeAudio: () => encoded.free(),
    async close() {
      await encoder.release();
      await decoder.release();
    },
  };
};
