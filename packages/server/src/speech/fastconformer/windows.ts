// Splits long audio for the encoder: windows with context on both sides, of which only the middle is kept.
import type { NemoFeatures } from './features.ts';

/** One row of values per encoder frame. */
export interface EncodedFrames {
  readonly rows: Float32Array;
  readonly width: number;
  readonly frames: number;
}

interface WindowShape {
  /** Encoder frames kept from each window. */
  readonly keepFrames: number;
  /** Encoder frames of context before and after them. */
  readonly contextFrames: number;
}

/** Limits the quadratic cost of attention. Recogniser windows are shorter: this is for other callers of the model. */
const DEFAULT_WINDOW: WindowShape = { keepFrames: 375, contextFrames: 50 };

export const rowOf = ({ rows, width }: EncodedFrames, frame: number): Float32Array =>
  rows.subarray(frame * width, (frame + 1) * width);

/** Features of the frames `from` to `to`, followed by a frame of zeros as in training. */
const featuresBetween = ({ values, frames }: NemoFeatures, from: number, to: number, melBins: number): Float32Array => {
  const length = to - from;
  const part = new Float32Array(melBins * (length + 1));
  for (let mel = 0; mel < melBins; mel++)
    part.set(values.subarray(mel * frames + from, mel * frames + to), mel * (length + 1));
  return part;
};

export const encodeInWindows = async (
  features: NemoFeatures,
  { melBins, subsampling }: { readonly melBins: number; readonly subsampling: number },
  encode: (features: Float32Array, frames: number) => Promise<EncodedFrames>,
  { keepFrames, contextFrames }: WindowShape = DEFAULT_WINDOW,
): Promise<EncodedFrames> => {
  const total = Math.ceil(features.frames / subsampling);
  const parts: EncodedFrames[] = [];
  for (let start = 0; start < total; ) {
    // A remainder no longer than the context is merged into this window: alone, it would have too little audio.
    const end = total - start <= keepFrames + contextFrames ? total : start + keepFrames;
    const from = Math.max(0, start - contextFrames);
    const to = Math.min(total, end + contextFrames);
    const [first, last] = [from * subsampling, Math.min(features.frames, to * subsampling)];
    const encoded = await encode(featuresBetween(features, first, last, melBins), last - first);
    const { width } = encoded;
    const kept = Math.min(encoded.frames, end - from) - (start - from);
    parts.push({
      rows: encoded.rows.subarray((start - from) * width, (start - from + kept) * width),
      width,
      frames: kept,
    });
    start = end;
  }
  return joined(parts);
};

const joined = (parts: readonly EncodedFrames[]): EncodedFrames => {
  if (parts.length === 1) return parts[0]!;
  const frames = parts.reduce((sum, part) => sum + part.frames, 0);
  const width = parts[0]?.width ?? 0;
  const rows = new Float32Array(frames * width);
  let at = 0;
  for (const part of parts) {
    rows.set(part.rows, at);
    at += part.rows.length;
  }
  return { rows, width, frames };
};
