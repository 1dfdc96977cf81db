// The key-value cache of a decoder: tensors of shape [1, heads, positions, size].
import '../../lib/process/no-telemetry.ts';
import { Tensor } from 'onnxruntime-node';
import type { LogitRow } from '../decoding/choose-token.ts';
import { freeTensors } from './free-tensors.ts';

export type Tensors = Readonly<Record<string, Tensor>>;

const positionsOf = (cache: Tensor, from: number, to: number): Tensor => {
  const [, heads = 0, all = 0, size = 0] = cache.dims;
  const end = Math.min(to, all);
  const data = cache.data as Float32Array;
  const kept = new Float32Array(heads * (end - from) * size);
  for (let head = 0; head < heads; head++) {
    const at = head * all;
    kept.set(data.subarray((at + from) * size, (at + end) * size), head * (end - from) * size);
  }
  return new Tensor('float32', kept, [1, heads, end - from, size]);
};

/** A range of positions of every cache. */
export const positionsOfAll = (caches: Tensors, from: number, to: number): Tensors =>
  Object.fromEntries(Object.entries(caches).map(([name, cache]) => [name, positionsOf(cache, from, to)]));

/** What a decoder step returns: rows for some of its tokens, and the state after them. */
export interface DecoderStep {
  readonly rows: readonly LogitRow[];
  readonly state: DecoderState;
}

/** Frees a step whose rows and state are not used any more. The audio stays. */
export const freeStep = ({ rows, state }: DecoderStep): void => {
  // All rows share their memory.
  const logits = rows.slice(0, 1).map((row) => ({ data: row.logits }));
  freeTensors([...Object.values(state.past), ...logits]);
};

/** The decoder's state: keys and values of the audio and of the tokens so far. */
export interface DecoderState {
  readonly audio: Tensors;
  readonly past: Tensors;
  readonly tokens: number;
}

/** The state with only the first `tokens` tokens. */
export const shorten = (state: DecoderState, tokens: number): DecoderState =>
  state.tokens <= tokens ? state : { ...state, past: positionsOfAll(state.past, 0, tokens), tokens };
