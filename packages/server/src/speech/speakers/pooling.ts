// Statistics over frames, and the affine layer that turns them into a speaker embedding.
import type { Affine } from './embedding-graph.ts';

/** [channels, frames], channel by channel. */
export interface SpeakerFrames {
  readonly channels: number;
  readonly count: number;
  readonly values: Float32Array;
}

/** Frame ranges as pairs: from, to (exclusive), from, to, … */
export type FrameSpans = Int32Array;

/** Mean of every channel, then its deviation (n − 1); null when the spans hold no frame. */
export const pooledStatistics = (frames: SpeakerFrames, spans: FrameSpans): Float32Array | null => {
  const { channels, count, values } = frames;
  const clipped: number[] = [];
  let n = 0;
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const from = Math.max(0, spans[i]!);
    const to = Math.min(count, spans[i + 1]!);
    if (to <= from) continue;
    clipped.push(from, to);
    n += to - from;
  }
  if (n === 0) return null;
  const statistics = new Float32Array(2 * channels);
  for (let channel = 0; channel < channels; channel++) {
    const row = channel * count;
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < clipped.length; i += 2) {
      const end = row + clipped[i + 1]!;
      for (let at = row + clipped[i]!; at < end; at++) {
        const value = values[at]!;
        sum += value;
        squares += value * value;
      }
    }
    const mean = sum / n;
    statistics[channel] = mean;
    statistics[channels + channel] = Math.sqrt(Math.max(0, squares - n * mean * mean) / Math.max(1, n - 1));
  }
  return statistics;
};

/** The affine layer on one vector of statistics, scaled to length one. */
export const unitEmbedding = ({ outputs, inputs, weights, bias }: Affine, statistics: Float32Array): Float32Array => {
  const embedding = new Float32Array(outputs);
  let squares = 0;
  for (let output = 0; output < outputs; output++) {
    const row = output * inputs;
    // Four sums: one alone would wait for each addition before it.
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < inputs; i += 4) {
      a += weights[row + i]! * statistics[i]!;
      b += weights[row + i + 1]! * statistics[i + 1]!;
      c += weights[row + i + 2]! * statistics[i + 2]!;
      d += weights[row + i + 3]! * statistics[i + 3]!;
    }
    const value = a + b + c + d + bias[output]!;
    embedding[output] = value;
    squares += value * value;
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let output = 0; output < outputs; output++) embedding[output]! *= scale;
  return embedding;
};
