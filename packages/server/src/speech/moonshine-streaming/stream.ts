// Encodes audio as it arrives: only what is new, plus the frames around it that the encoder looks at.
import { joinRows } from '../acoustic/join-rows.ts';
import type { CrossKeys, FrontendState, StreamingEncoder } from './encoder-graphs.ts';

/** The convolutions halve the rate twice and keep four values each: a smaller block would shift or cut their state. */
export const BLOCK_SAMPLES = 640;
export const FRAME_SAMPLES = 320;

/** Appends the frames of `b` to those of `a`, in every row. */
const joinFrames = (a: CrossKeys, b: CrossKeys, rows: number): CrossKeys => {
  if (a.frames === 0) return b;
  if (b.frames === 0) return a;
  return {
    keys: joinRows(a.keys, b.keys, rows),
    values: joinRows(a.values, b.values, rows),
    frames: a.frames + b.frames,
  };
};

const loudest = (samples: Float32Array): number =>
  samples.reduce((best, value, at) => (Math.abs(value) > Math.abs(samples[best]!) ? at : best), 0);

const NO_KEYS: CrossKeys = { keys: new Float32Array(0), values: new Float32Array(0), frames: 0 };

export class AudioStream {
  readonly #encoder: StreamingEncoder;
  /** The samples read so far, in whole blocks. */
  #samples: Float32Array = new Float32Array(0);
  #state: FrontendState;
  /** Features that later frames still need, and how many were dropped before them. */
  #features: Float32Array = new Float32Array(0);
  #featuresGone = 0;
  /** Final frames: later audio cannot change them. */
  #encoded: Float32Array = new Float32Array(0);
  /** Keys of final frames from frame `from` on. */
  #final: { readonly from: number; readonly keys: CrossKeys } = { from: 0, keys: NO_KEYS };

  constructor(encoder: StreamingEncoder) {
    this.#encoder = encoder;
    this.#state = encoder.start;
  }

  /** The number of samples kept. */
  get length(): number {
    return this.#samples.length;
  }

  /** The position in this stream at which the samples start; null when they do not continue it. */
  continues(samples: Float32Array): number | null {
    const own = this.#samples;
    const overlap = BLOCK_SAMPLES + this.#encoder.framesAfter * FRAME_SAMPLES;
    // Search for the loudest sample, which is the least likely to occur elsewhere.
    const anchor = loudest(samples.subarray(0, Math.min(overlap, own.length)));
    if (!samples[anchor]) return null;
    const last = Math.max(0, own.length - overlap);
    for (let from = Math.max(0, own.length - samples.length); from <= last; from++) {
      if (own[from + anchor] !== samples[anchor]) continue;
      let at = from;
      while (at < own.length && own[at] === samples[at - from]) at += 1;
      if (at === own.length) return from;
    }
    return null;
  }

  /** Encodes the new part of samples that start at `from`; returns the keys of all their frames. */
  async read(samples: Float32Array, from: number): Promise<CrossKeys> {
    const { width, framesAfter, rows } = this.#encoder;
    const fresh = samples.subarray(this.#samples.length - from);
    const whole = fresh.length - (fresh.length % BLOCK_SAMPLES);
    if (whole > 0) await this.#take(fresh.slice(0, whole));
    const rest = new Float32Array(BLOCK_SAMPLES);
    rest.set(fresh.subarray(whole));
    // The last samples do not fill a block: read them now, padded with silence, and again in a full block.
    const tail =
      whole < fresh.length ? (await this.#encoder.features(rest, this.#state)).features : new Float32Array(0);
    const before = this.#encoded.length / width;
    const features = joinRows(this.#features, tail);
    const encoded = features.length > 0 ? await this.#encoder.encode(features) : features;
    const total = this.#featuresGone + this.#features.length / width;
    const final = Math.max(before, total - framesAfter);
    const rowsFrom = (frame: number): number => (frame - this.#featuresGone) * width;
    this.#encoded = joinRows(this.#encoded, encoded.subarray(rowsFrom(before), rowsFrom(final)));
    const open = encoded.slice(rowsFrom(final));
    this.#forgetFeatures(final);
    const keys = await this.#finalKeys(Math.floor(from / FRAME_SAMPLES));
    if (open.length === 0) return keys;
    return joinFrames(keys, await this.#encoder.crossKeys(open, keys.frames), rows);
  }

  /** Drops the audio before a sample, rounded down to blocks; returns the number of samples dropped. */
  forget(before: number): number {
    const { width } = this.#encoder;
    const gone = Math.min(before - (before % BLOCK_SAMPLES), this.#samples.length);
    const frames = Math.min(gone / FRAME_SAMPLES, this.#encoded.length / width);
    const samples = frames * FRAME_SAMPLES;
    this.#samples = this.#samples.slice(samples);
    this.#encoded = this.#encoded.slice(frames * width);
    this.#featuresGone -= frames;
    this.#final = { from: 0, keys: NO_KEYS };
    return samples;
  }

  async #take(samples: Float32Array): Promise<void> {
    const { features, state } = await this.#encoder.features(samples, this.#state);
    this.#state = state;
    this.#samples = joinRows(this.#samples, samples);
    this.#features = joinRows(this.#features, features);
  }

  /** Drops features that are too old for the encoder to look back to. */
  #forgetFeatures(final: number): void {
    const { width, framesBefore } = this.#encoder;
    const gone = Math.max(0, final - framesBefore - this.#featuresGone);
    this.#features = this.#features.slice(gone * width);
    this.#featuresGone += gone;
  }

  /** Keys contain the position of their frame relative to the first one: another first frame requires new keys. */
  async #finalKeys(from: number): Promise<CrossKeys> {
    const { width, rows } = this.#encoder;
    const known = this.#final.from === from ? this.#final.keys : NO_KEYS;
    const fresh = this.#encoded.slice((from + known.frames) * width);
    const keys =
      fresh.length === 0 ? known : joinFrames(known, await this.#encoder.crossKeys(fresh, known.frames), rows);
    this.#final = { from, keys };
    return keys;
  }
}
