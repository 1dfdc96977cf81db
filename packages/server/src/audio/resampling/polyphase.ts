// Resamples with filter weights computed for every possible phase: used for all common rates.
import { joinSamples } from '../join-samples.ts';
import { SAMPLE_RATE_HZ } from '../pcm.ts';
import { designFilter, type Filter, weightsOf } from './filter.ts';
import { POLYPHASE_WASM } from './polyphase-wasm.ts';

/** A larger filter takes longer to compute than it saves, and blocks the thread. Common rates need at most 36 000. */
const WEIGHTS_MAX = 65_536;
const BLOCK_SAMPLES_MAX = 8_192;
const FILTERS_KEPT = 8;
const PAGE_BYTES = 65_536;

interface Kernel {
  readonly memory: WebAssembly.Memory;
  resample(
    ...of: [
      input: number,
      weights: number,
      taps: number,
      output: number,
      count: number,
      phase: number,
      up: number,
      down: number,
    ]
  ): void;
}

/** One kernel per thread, shared by all its resamplers; its memory holds the filter and block used last. */
let shared: { readonly kernel: Kernel; filter?: Filter } | undefined;

const openKernel = () => {
  const module = new WebAssembly.Module(Buffer.from(POLYPHASE_WASM, 'base64'));
  return { kernel: new WebAssembly.Instance(module).exports as Kernel };
};

/** Filters by source rate: computing one takes milliseconds. */
const filters = new Map<number, Filter>();

const filterOf = (sourceRateHz: number): Filter => {
  const filter = filters.get(sourceRateHz) ?? designFilter(sourceRateHz, SAMPLE_RATE_HZ);
  filters.delete(sourceRateHz);
  filters.set(sourceRateHz, filter);
  for (const rateHz of filters.keys()) {
    if (filters.size <= FILTERS_KEPT) break;
    filters.delete(rateHz);
  }
  return filter;
};

export const hasPolyphase = (sourceRateHz: number): boolean =>
  Number.isInteger(sourceRateHz) && weightsOf(sourceRateHz, SAMPLE_RATE_HZ) <= WEIGHTS_MAX;

export class PolyphaseResampler {
  readonly #sourceRateHz: number;
  readonly #filter: Filter;
  /** Input from the first sample under the filter; initially silence. */
  #held: Float32Array;
  #phase = 0;
  #samplesIn = 0;
  #samplesOut = 0;

  constructor(sourceRateHz: number) {
    this.#sourceRateHz = sourceRateHz;
    this.#filter = filterOf(sourceRateHz);
    this.#held = new Float32Array(this.#filter.taps / 2 - 1);
  }

  push(samples: Float32Array): Float32Array {
    this.#samplesIn += samples.length;
    return this.#process(samples);
  }

  finish(): Float32Array {
    const { taps, up, down } = this.#filter;
    const wholeSamples = Math.round((this.#samplesIn * SAMPLE_RATE_HZ) / this.#sourceRateHz);
    const missing = Math.max(0, wholeSamples - this.#samplesOut);
    return this.#process(new Float32Array(taps + Math.ceil((missing * down) / up))).subarray(0, missing);
  }

  free(): void {}

  #process(samples: Float32Array): Float32Array {
    const { taps, up, down } = this.#filter;
    const input = joinSamples([this.#held, samples]);
    const places = (input.length - taps + 1) * up;
    const output = new Float32Array(Math.max(0, Math.ceil((places - this.#phase) / down)));
    const blockSamples = Math.min(BLOCK_SAMPLES_MAX, Math.floor((BLOCK_SAMPLES_MAX * up) / down));
    let from = 0;
    for (let at = 0; at < output.length; ) {
      const count = Math.min(blockSamples, output.length - at);
      this.#convolve(input, from, output.subarray(at, at + count));
      const place = this.#phase + count * down;
      from += Math.floor(place / up);
      this.#phase = place % up;
      at += count;
    }
    this.#held = input.slice(from);
    this.#samplesOut += output.length;
    return output;
  }

  #convolve(input: Float32Array, from: number, output: Float32Array): void {
    const filter = this.#filter;
    const { taps, up, down, weights } = filter;
    shared ??= openKernel();
    const { memory, resample } = shared.kernel;
    const inputSamples = taps + Math.floor((this.#phase + (output.length - 1) * down) / up);
    const inputAt = weights.length;
    const outputAt = inputAt + inputSamples;
    const missingBytes = 4 * (outputAt + output.length) - memory.buffer.byteLength;
    if (missingBytes > 0) memory.grow(Math.ceil(missingBytes / PAGE_BYTES));
    const floats = new Float32Array(memory.buffer);
    if (shared.filter !== filter) floats.set(weights);
    shared.filter = filter;
    floats.set(input.subarray(from, from + inputSamples), inputAt);
    resample(4 * inputAt, 0, taps, 4 * outputAt, output.length, this.#phase, up, down);
    output.set(floats.subarray(outputAt, outputAt + output.length));
  }
}
