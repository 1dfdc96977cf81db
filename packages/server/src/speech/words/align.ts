// Aligns tokens with audio by the decoder's cross-attention: averaged heads, then dynamic time warping.

/** Raw attention scores of one head: `tokens × frames` values. */
export interface AttentionMap {
  readonly scores: Float32Array;
  readonly frames: number;
}

/** One head of a decoder's attention output, which is [1, heads, tokens, frames]. */
export const headMap = (attention: { data: unknown; dims: readonly number[] }, head: number): AttentionMap => {
  const [, , tokens = 0, frames = 0] = attention.dims;
  const size = tokens * frames;
  return { scores: (attention.data as Float32Array).subarray(head * size, (head + 1) * size), frames };
};

/** Collects the attention of a text that is decoded in several runs. */
export class SeenAttention {
  readonly #runs: (readonly AttentionMap[])[] = [];

  /** Adds the first `tokens` tokens of a run. */
  add(maps: readonly AttentionMap[], tokens: number): void {
    this.#runs.push(maps.map(({ scores, frames }) => ({ scores: scores.subarray(0, tokens * frames), frames })));
  }

  maps(): AttentionMap[] {
    return (this.#runs[0] ?? []).map(({ frames }, head) => {
      const parts = this.#runs.map((run) => run[head]!.scores);
      const scores = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
      parts.reduce((at, part) => {
        scores.set(part, at);
        return at + part.length;
      }, 0);
      return { scores, frames };
    });
  }
}

/** Width of the median filter over time. */
const MEDIAN_WIDTH = 7;

/** A token begins where this share of the attention in its frames is reached, minus some frames … */
const ONSET_SHARE = 0.25;
/** … because attention rises after the sound. Both are fitted on words with manually annotated times. */
const ONSET_FRAMES_BEFORE = 2;

interface TokenFrames {
  /** First frame of each token; a last entry gives the end of the last token. */
  readonly starts: readonly number[];
  /** Frame at which each token is heard: its frames before that may contain a pause or unrecognised sounds. */
  readonly onsets: readonly number[];
}

export const alignTokens = (maps: readonly AttentionMap[], tokens: number, framesHeard: number): TokenFrames => {
  const frames = Math.max(1, Math.min(framesHeard, maps[0]?.frames ?? 1));
  const merged = new Float64Array(tokens * frames);
  const attended = new Float64Array(tokens * frames);
  for (const map of maps) {
    const weights = softened(map, tokens, frames);
    for (let i = 0; i < weights.length; i++) attended[i]! += weights[i]!;
    addNormalised(merged, weights, tokens, frames);
  }
  const starts = warp(merged, tokens, frames);
  const onsets = starts
    .slice(0, tokens)
    .map((from, token) => onsetOf(attended.subarray(token * frames, (token + 1) * frames), from, starts[token + 1]!));
  return { starts, onsets };
};

const onsetOf = (attended: Float64Array, from: number, to: number): number => {
  let missing = ONSET_SHARE * attended.subarray(from, to).reduce((sum, weight) => sum + weight, 0);
  for (let frame = from; frame < to; frame++) {
    missing -= attended[frame]!;
    if (missing <= 0) return Math.max(from, frame - ONSET_FRAMES_BEFORE);
  }
  return from;
};

/** The attention of one head: softmax over time. */
const softened = (map: AttentionMap, tokens: number, frames: number): Float64Array => {
  const weights = new Float64Array(tokens * frames);
  for (let token = 0; token < tokens; token++) {
    const from = token * map.frames;
    let top = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < frames; i++) top = Math.max(top, map.scores[from + i]!);
    let sum = 0;
    for (let i = 0; i < frames; i++) sum += weights[token * frames + i] = Math.exp(map.scores[from + i]! - top);
    for (let i = 0; i < frames; i++) weights[token * frames + i]! /= sum;
  }
  return weights;
};

/** Adds one head, standardised over tokens and median-filtered over time. Overwrites the weights. */
const addNormalised = (into: Float64Array, weights: Float64Array, tokens: number, frames: number): void => {
  for (let i = 0; i < frames; i++) standardise(weights, i, frames, tokens);
  const row = new Float64Array(frames);
  for (let token = 0; token < tokens; token++) {
    row.set(weights.subarray(token * frames, (token + 1) * frames));
    for (let i = 0; i < frames; i++) into[token * frames + i]! += medianAround(row, i);
  }
};

const standardise = (weights: Float64Array, from: number, stride: number, count: number): void => {
  let mean = 0;
  for (let i = 0; i < count; i++) mean += weights[from + i * stride]!;
  mean /= count;
  let variance = 0;
  for (let i = 0; i < count; i++) variance += (weights[from + i * stride]! - mean) ** 2;
  const deviation = Math.sqrt(variance / count) || 1;
  for (let i = 0; i < count; i++) weights[from + i * stride] = (weights[from + i * stride]! - mean) / deviation;
};

const neighbours = new Float64Array(MEDIAN_WIDTH);

const medianAround = (row: Float64Array, centre: number): number => {
  const half = (MEDIAN_WIDTH - 1) / 2;
  const last = row.length - 1;
  // Sorted by insertion: sort() takes twice as long or more for seven values.
  for (let i = 0; i < MEDIAN_WIDTH; i++) {
    // Mirrored at the ends.
    let at = Math.abs(centre + i - half);
    if (at > last) at = Math.max(0, 2 * last - at);
    const value = row[at]!;
    let place = i;
    while (place > 0 && neighbours[place - 1]! > value) neighbours[place] = neighbours[--place]!;
    neighbours[place] = value;
  }
  return neighbours[half]!;
};

/** The path of highest total weight that is monotonic in tokens and time. */
const warp = (weights: Float64Array, tokens: number, frames: number): number[] => {
  const width = frames + 1;
  const cost = new Float64Array((tokens + 1) * width).fill(Number.POSITIVE_INFINITY);
  const step = new Uint8Array((tokens + 1) * width);
  cost[0] = 0;
  for (let token = 1; token <= tokens; token++) {
    for (let frame = 1; frame <= frames; frame++) {
      const at = token * width + frame;
      const both = cost[at - width - 1]!;
      const nextToken = cost[at - width]!;
      const nextFrame = cost[at - 1]!;
      const best = Math.min(both, nextToken, nextFrame);
      step[at] = best === both ? 0 : best === nextToken ? 1 : 2;
      cost[at] = best - weights[(token - 1) * frames + frame - 1]!;
    }
  }
  const starts = new Array<number>(tokens + 1).fill(frames);
  let token = tokens;
  let frame = frames;
  while (token > 0 && frame > 0) {
    starts[token - 1] = frame - 1;
    const move = step[token * width + frame]!;
    if (move !== 2) token--;
    if (move !== 1) frame--;
  }
  return starts;
};
