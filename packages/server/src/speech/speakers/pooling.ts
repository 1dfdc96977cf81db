// Pools frames into statistics, which the affine layer turns into a speaker embedding.

/** [channels, frames], channel by channel. */
interface SpeakerFrames {
  readonly channels: number;
  readonly count: number;
  readonly values: Float32Array;
}

/** Frame ranges as pairs: from, to (exclusive), from, to, … */
export type FrameSpans = Int32Array;

/** Mean of every channel, then its deviation (n − 1); null when the spans contain no frame. */
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

/** Rows of a matrix, each scaled to length one. */
export const unitRows = (values: Float32Array, columns: number): Float32Array[] =>
  Array.from({ length: values.length / columns }, (_, row) => {
    const vector = values.slice(row * columns, (row + 1) * columns);
    let squares = 0;
    for (let i = 0; i < columns; i++) squares += vector[i]! * vector[i]!;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let i = 0; i < columns; i++) vector[i]! *= scale;
    return vector;
  });
