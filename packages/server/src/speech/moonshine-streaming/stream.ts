// Audio that is read while it arrives: only what is new is encoded, with the frames around it that the encoder looks at.
import type { CrossKeys, FrontendState, StreamingEncoder } from './encoder-graphs.ts';

/** The convolutions halve the rate twice and keep four values each: fewer samples would shift or shorten their state. */
export const BLOCK_SAMPLES = 640;
export const FRAME_SAMPLES = 320;

/** Values of one frame after those of another, in every row. */
const joinFrames = (a: CrossKeys, b: CrossKeys, rows: number): CrossKeys => {
  if (a.frames === 0) return b;
  if (b.frames === 0) return a;
  const size = b.keys.length / rows / b.frames;
  const frames = a.frames + b.frames;
  const join = (first: Float32Array, second: Float32Array): Float32Array => {
    const all = new Float32Array(rows * frames * size);
    for (let row = 0; row < rows; row++) {
      const at = row * frames * size;
      all.set(first.subarray(row * a.frames * size, (row + 1) * a.frames * size), at);
      all.set(second.subarray(row * b.frames * size, (row + 1) * b.frames * size), at + a.frames * size);
    }
    return all;
  };
  return { keys: join(a.keys, b.keys), values: join(a.values, b.values), frames };
};

const joined = (a: Float32Array, b: Float32Array): Float32Array => {
  const all = new Float32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
};

const loudest = (samples: Float32Array): number =>
  samples.reduce((best, value, at) => (Math.abs(value) > Math.abs(samples[best]!) ? at : best), 0);

const NO_KEYS: CrossKeys = { keys: new Float32Array(0), values: new Float32Array(0), frames: 0 };

export class AudioStream {
  readonly #encoder: StreamingEncoder;
  /** What was read, in whole blocks. */
  #samples: Float32Array = new Float32Array(0);
  #state: FrontendState;
  /** Features that later frames still need, and how many were before them. */
  #features: Float32Array = new Float32Array(0);
  #featuresGone = 0;
  /** Frames that nothing can change any more. */
  #encoded: Float32Array = new Float32Array(0);
  /** Keys of final frames from frame `from` on. */
  #final: { readonly from: number; readonly keys: CrossKeys } = { from: 0, keys: NO_KEYS };

  constructor(encoder: StreamingEncoder) {
    this.#encoder = encoder;
    this.#state = encoder.start;
  }

  /** Samples that are kept. */
  get length(): number {
    return this.#samples.length;
  }

  /** Where the samples continue this stream: the position of the first; null when they do not. */
  continues(samples: Float32Array): number | null {
    const own = this.#samples;
    const overlap = BLOCK_SAMPLES + this.#encoder.framesAfter * FRAME_SAMPLES;
    // The loudest sample is the least likely to be found elsewhere.
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

  /** Reads what is new of samples that start at `from`; returns the keys of all their frames. */
  async read(samples: Float32Array, from: number): Promise<CrossKeys> {
    const { width, framesAfter, rows } = this.#encoder;
    const fresh = samples.subarray(this.#samples.length - from);
    const whole = fresh.length - (fresh.length % BLOCK_SAMPLES);
    if (whole > 0) await this.#take(fresh.slice(0, whole));
    const rest = new Float32Array(BLOCK_SAMPLES);
    rest.set(fresh.subarray(whole));
    // The last samples do not fill a block: they are read with silence after them, and again later.
    const tail =
      whole < fresh.length ? (await this.#encoder.features(rest, this.#state)).features : new Float32Array(0);
    const before = this.#encoded.length / width;
    const features = joined(this.#features, tail);
    const encoded = features.length > 0 ? await this.#encoder.encode(features) : features;
    const total = this.#featuresGone + this.#features.length / width;
    const final = Math.max(before, total - framesAfter);
    const rowsFrom = (frame: number): number => (frame - this.#featuresGone) * width;
    this.#encoded = joined(this.#encoded, encoded.subarray(rowsFrom(before), rowsFrom(final)));
    const open = encoded.slice(rowsFrom(final));
    this.#forgetFeatures(final);
    const keys = await this.#finalKeys(Math.floor(from / FRAME_SAMPLES));
    if (open.length === 0) return keys;
    return joinFrames(keys, await this.#encoder.crossKeys(open, keys.frames), rows);
  }

  /** Forgets what is before a sample, rounded to blocks; returns how many samples that are. */
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
    this.#samples = joined(this.#samples, samples);
    this.#features = joined(this.#features, features);
  }

  /** The encoder looks back a limited number of frames. */
  #forgetFeatures(final: number): void {
    const { width, framesBefore } = this.#encoder;
    const gone = Math.max(0, final - framesBefore - this.#featuresGone);
    this.#features = this.#features.slice(gone * width);
    this.#featuresGone += gone;
  }

  /** Keys have the position of their frame after the first one: another first frame makes them anew. */
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
