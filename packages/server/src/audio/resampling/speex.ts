// Resamples from rates without a small ratio to 16 kHz, with interpolated filter weights.
import loadSpeex, { type SpeexModule } from '@echogarden/speex-resampler-wasm/simd';
import { joinSamples } from '../join-samples.ts';
import { SAMPLE_RATE_HZ } from '../pcm.ts';

/** On a scale of ten: the best balance of cost and alias rejection, see docs/decisions/audio-decoders.md. */
const QUALITY = 7;
const BLOCK_SAMPLES_MAX = 8192;

/** One module per thread, shared by all its resamplers. */
let speex: Promise<SpeexModule> | undefined;

export const openSpeexResampler = async (sourceRateHz: number): Promise<SpeexResampler> => {
  speex ??= loadSpeex();
  return new SpeexResampler(await speex, sourceRateHz);
};

class SpeexResampler {
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
    // Otherwise the output would start with the filter delay as silence.
    speex._speex_resampler_skip_zeros(this.#state);
  }

  push(samples: Float32Array): Float32Array {
    this.#samplesIn += samples.length;
    return this.#process(samples, Number.POSITIVE_INFINITY);
  }

  finish(): Float32Array {
    const missing = Math.round((this.#samplesIn * SAMPLE_RATE_HZ) / this.#sourceRateHz) - this.#samplesOut;
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
