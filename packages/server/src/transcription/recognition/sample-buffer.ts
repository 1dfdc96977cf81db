// Buffers the recent samples of a recording: appended at the end, read by position, dropped from the start.
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { lengthOf, type Window, windowSamples } from '../planning/window.ts';

const BLOCK_SAMPLES = SAMPLE_RATE_HZ;

export class SampleBuffer {
  /** Blocks of one second that are freed whole, so at most one second more than needed is held. */
  readonly #blocks: Float32Array[] = [];
  #firstBlock = 0;
  #endSample = 0;

  /** One past the last appended sample. */
  get endSample(): number {
    return this.#endSample;
  }

  /** The oldest sample still held. */
  get startSample(): number {
    return Math.min(this.#firstBlock * BLOCK_SAMPLES, this.#endSample);
  }

  /** Copies the samples, so that the caller may reuse its buffer. */
  append(samples: Float32Array): void {
    for (let taken = 0; taken < samples.length; ) {
      const offset = this.#endSample % BLOCK_SAMPLES;
      if (offset === 0) this.#blocks.push(new Float32Array(BLOCK_SAMPLES));
      const count = Math.min(BLOCK_SAMPLES - offset, samples.length - taken);
      this.#blocks.at(-1)?.set(samples.subarray(taken, taken + count), offset);
      taken += count;
      this.#endSample += count;
    }
  }

  /** Copies [startSample, endSample) into `target` at `offset`; throws when part of it is not in the buffer. */
  read(startSample: number, endSample: number, target: Float32Array, offset = 0): void {
    if (startSample < this.startSample || endSample > this.#endSample) {
      throw new RangeError(`samples ${startSample}..${endSample} are not in the buffer`);
    }
    for (let at = startSample; at < endSample; ) {
      const block = this.#blocks[Math.floor(at / BLOCK_SAMPLES) - this.#firstBlock]!;
      const from = at % BLOCK_SAMPLES;
      const count = Math.min(BLOCK_SAMPLES - from, endSample - at);
      target.set(block.subarray(from, from + count), offset + at - startSample);
      at += count;
    }
  }

  /** A copy of [startSample, endSample), with silence for samples that are not in the buffer. */
  slice(startSample: number, endSample: number): Float32Array {
    const samples = new Float32Array(Math.max(0, endSample - startSample));
    const first = Math.max(startSample, this.startSample);
    const last = Math.min(endSample, this.#endSample);
    if (first < last) this.read(first, last, samples, first - startSample);
    return samples;
  }

  /** Up to one second of audio from this sample on. Not a copy: appended samples never change. */
  stretchFrom(startSample: number): Float32Array {
    const block = this.#blocks[Math.floor(startSample / BLOCK_SAMPLES) - this.#firstBlock];
    if (!block || startSample >= this.#endSample) throw new RangeError(`sample ${startSample} is not in the buffer`);
    const from = startSample % BLOCK_SAMPLES;
    return block.subarray(from, Math.min(BLOCK_SAMPLES, from + this.#endSample - startSample));
  }

  /** Frees all blocks that end before the sample. */
  dropBefore(sample: number): void {
    const firstKept = Math.min(Math.floor(sample / BLOCK_SAMPLES), Math.floor(this.#endSample / BLOCK_SAMPLES));
    const count = firstKept - this.#firstBlock;
    if (count <= 0) return;
    this.#blocks.splice(0, count);
    this.#firstBlock = firstKept;
  }
}

/** The audio of the window, copied from the buffer. */
export const readWindow = (window: Window, buffer: SampleBuffer): Float32Array => {
  const samples = new Float32Array(windowSamples(window));
  let offset = 0;
  for (const slice of window.slices) {
    buffer.read(slice.startSample, slice.endSample, samples, offset);
    offset += lengthOf(slice);
  }
  return samples;
};
