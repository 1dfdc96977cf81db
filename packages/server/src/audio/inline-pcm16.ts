// Decodes a live 16 kHz stream on the event loop: the work is cheaper than passing it to a thread.
import { sampleReader } from './codecs/samples.ts';
import { type Mixdown, openMixdown } from './mixdown.ts';
import { SAMPLE_RATE_HZ } from './pcm.ts';
import { abortError, SampleQueue } from './threads/sample-queue.ts';
import { AHEAD_SAMPLES_MAX } from './threads/threaded-decoder.ts';
import type { LiveDecoder, SampleFormat } from './upload-decoding.ts';

export const PCM16: SampleFormat = { kind: 'signed', bytes: 2, bigEndian: false };

export class InlinePcm16Decoder implements LiveDecoder {
  readonly sourceChannels: number;
  readonly #read: (data: Uint8Array) => Float32Array[];
  readonly #mixdown: Mixdown;
  readonly #frameBytes: number;
  readonly #queue = new SampleQueue((samples) => this.#onTaken(samples));
  /** The first bytes of an incomplete frame. */
  #spare = new Uint8Array(0);
  #frames = 0;
  #unreadSamples = 0;
  #writers: (() => void)[] = [];
  #awaitingDrain: (() => void)[] = [];

  constructor(channels: number) {
    this.sourceChannels = channels;
    this.#queue.onStarved = () => {
      for (const resolve of this.#awaitingDrain.splice(0)) resolve();
    };
    this.#frameBytes = PCM16.bytes * channels;
    this.#read = sampleReader(PCM16, channels);
    this.#mixdown = openMixdown(channels, SAMPLE_RATE_HZ);
  }

  get channelActivity(): Uint8Array {
    return this.#mixdown.activity?.take() ?? new Uint8Array(0);
  }

  get durationSeconds(): number {
    return this.#frames / SAMPLE_RATE_HZ;
  }

  write(bytes: Uint8Array): Promise<void> {
    if (!this.#queue.isOpen) return Promise.resolve();
    const joined = this.#spare.length > 0 ? Buffer.concat([this.#spare, bytes]) : bytes;
    const whole = joined.length - (joined.length % this.#frameBytes);
    this.#spare = new Uint8Array(joined.subarray(whole));
    this.#frames += whole / this.#frameBytes;
    this.#put(this.#mixdown.push(this.#read(joined.subarray(0, whole))));
    if (this.#unreadSamples <= AHEAD_SAMPLES_MAX) return Promise.resolve();
    return new Promise((resolve) => this.#writers.push(resolve));
  }

  drained(): Promise<void> {
    if (this.#queue.isStarved) return Promise.resolve();
    return new Promise((resolve) => this.#awaitingDrain.push(resolve));
  }

  end(): void {
    if (!this.#queue.isOpen) return;
    this.#put(this.#mixdown.finish());
    this.#queue.end();
    this.#releaseWriters();
  }

  abort(): void {
    this.#queue.fail(abortError());
    this.#releaseWriters();
  }

  [Symbol.asyncIterator](): AsyncIterator<Float32Array, undefined> {
    return {
      next: () => this.#queue.next(),
      return: () => {
        this.abort();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #put(samples: Float32Array): void {
    this.#unreadSamples += samples.length;
    this.#queue.put(samples);
  }

  #onTaken(samples: number): void {
    this.#unreadSamples -= samples;
    if (this.#unreadSamples <= AHEAD_SAMPLES_MAX) this.#releaseWriters();
  }

  #releaseWriters(): void {
    for (const resolve of this.#writers.splice(0)) resolve();
  }
}
