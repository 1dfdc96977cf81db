// Brings one channel of any rate to 16 kHz: band-limited, and of exactly the right length.
import loadSpeex, { type SpeexModule } from '@echogarden/speex-resampler-wasm/simd';
import { Halving } from './halve.ts';
import { SAMPLE_RATE_HZ } from './pcm.ts';

/** Of ten; measured as the knee between cost and alias rejection, see docs/decisions/audio-decoders.md. */
const QUALITY = 7;
const BLOCK_SAMPLES_MAX = 8192;
/** From this rate on the wanted band leaves room for a half-band filter. */
const HALVED_RATE_HZ_MIN = 42_000;

export interface Resampler {
  push(samples: Float32Array): Float32Array;
  /** The last samples; the whole is then as long as the input, to the nearest sample, or so many more as are asked for. */
  finish(samples?: number): Float32Array;
  free(): void;
}

/** One copy of the module serves all resamplers of a thread. */
let speex: Promise<SpeexModule> | undefined;

export const openResampler = async (sourceRateHz: number): Promise<Resampler> => {
  if (sourceRateHz === SAMPLE_RATE_HZ) {
    return { push: (samples) => samples, finish: () => new Float32Array(0), free: () => undefined };
  }
  if (sourceRateHz >= HALVED_RATE_HZ_MIN && sourceRateHz % 2 === 0) {
    return halvingResampler(await openResampler(sourceRateHz / 2), sourceRateHz);
  }
  speex ??= loadSpeex();
  return new SpeexResampler(await speex, sourceRateHz);
};

/** Halving first makes the long filter half as long. */
const halvingResampler = (inner: Resampler, sourceRateHz: number): Resampler => {
  const halving = new Halving();
  let samplesIn = 0;
  let samplesOut = 0;
  const counted = (samples: Float32Array): Float32Array => {
    samplesOut += samples.length;
    return samples;
  };
  return {
    push: (samples) => {
      samplesIn += samples.length;
      return counted(inner.push(halving.push(samples)));
    },
    finish: (samples = Math.round((samplesIn * SAMPLE_RATE_HZ) / sourceRateHz) - samplesOut) => {
      const last = inner.push(halving.finish());
      return joinSamples([last, inner.finish(samples - last.length)]).subarray(0, Math.max(0, samples));
    },
    free: () => inner.free(),
  };
};

class SpeexResampler implements Resampler {
  readonly #speex: SpeexModule;
  readonly #sourceRateHz: number;
  readonly #blockSamples: number;
  readonly #outputCapacity: number;
  readonly #input: number;
  readonly #output: number;
  readonly #lengths: number;
  #state: number;
  #samplesIn = 0;
  #samplesOut = 0;

  constructor(speex: SpeexModule, sourceRateHz: number) {
    this.#speex = speex;
    this.#sourceRateHz = sourceRateHz;
    const ratio = SAMPLE_RATE_HZ / sourceRateHz;
    this.#blockSamples = Math.max(16, Math.min(BLOCK_SAMPLES_MAX, Math.floor(BLOCK_SAMPLES_MAX / ratio)));
    this.#outputCapacity = Math.ceil(this.#blockSamples * ratio) + 64;
    this.#state = speex._speex_resampler_init(1, sourceRateHz, SAMPLE_RATE_HZ, QUALITY, 0);
    this.#input = speex._malloc(this.#blockSamples * 4);
    this.#output = speex._malloc(this.#outputCapacity * 4);
    this.#lengths = speex._malloc(8);
    if (!this.#state || !this.#input || !this.#output || !this.#lengths) throw new Error('no memory for a resampler');
    // Without this the output would start with the filter's delay as silence.
    speex._speex_resampler_skip_zeros(this.#state);
  }

  push(samples: Float32Array): Float32Array {
    this.#samplesIn += samples.length;
    return this.#process(samples, Number.POSITIVE_INFINITY);
  }

  finish(samples?: number): Float32Array {
    const missing = samples ?? Math.round((this.#samplesIn * SAMPLE_RATE_HZ) / this.#sourceRateHz) - this.#samplesOut;
    const parts: Float32Array[] = [];
    const silence = new Float32Array(this.#blockSamples);
    for (let left = missing; left > 0; ) {
      const part = this.#process(silence, left);
      parts.push(part);
      left -= part.length;
    }
    return joinSamples(parts);
  }

  free(): void {
    if (!this.#state) return;
    this.#speex._speex_resampler_destroy(this.#state);
    for (const pointer of [this.#input, this.#output, this.#lengths]) this.#speex._free(pointer);
    this.#state = 0;
  }

  #process(samples: Float32Array, most: number): Float32Array {
    const parts: Float32Array[] = [];
    let produced = 0;
    for (let at = 0; at < samples.length && produced < most; ) {
      const block = samples.subarray(at, at + this.#blockSamples);
      this.#speex.HEAPF32.set(block, this.#input / 4);
      this.#speex.HEAPU32[this.#lengths / 4] = block.length;
      this.#speex.HEAPU32[this.#lengths / 4 + 1] = Math.min(most - produced, this.#outputCapacity);
      this.#speex._speex_resampler_process_float(
        this.#state,
        0,
        this.#input,
        this.#lengths,
        this.#output,
        this.#lengths + 4,
      );
      const used = this.#speex.HEAPU32[this.#lengths / 4]!;
      const made = this.#speex.HEAPU32[this.#lengths / 4 + 1]!;
      if (used === 0 && made === 0) throw new Error('the resampler made no progress');
      parts.push(this.#speex.HEAPF32.slice(this.#output / 4, this.#output / 4 + made));
      at += used;
      produced += made;
    }
    this.#samplesOut += produced;
    return joinSamples(parts);
  }
}

export const joinSamples = (parts: readonly Float32Array[]): Float32Array => {
  if (parts.length === 1) return parts[0]!;
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};
