// The audio streams of a process: a window that continues one of them costs only its new part.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { CrossKeys, StreamingEncoder } from './encoder-graphs.ts';
import { AudioStream, BLOCK_SAMPLES } from './stream.ts';

/** Streams kept per process; the least recently read one is dropped. */
const STREAMS_MAX = 8;
/** Audio kept per stream; of a longer utterance, only the audio from the start of the last window. */
const SAMPLES_MAX = 40 * SAMPLE_RATE_HZ;
/** A stream that is not read again within this time is dropped, with its audio. */
const KEPT_MS = 30_000;

interface ReadStream {
  readonly stream: AudioStream;
  readonly readMs: number;
}

export class AudioStreams {
  readonly #encoder: StreamingEncoder;
  readonly #nowMs: () => number;
  /** Least recently read first. */
  #streams: ReadStream[] = [];

  constructor(encoder: StreamingEncoder, nowMs: () => number = () => performance.now()) {
    this.#encoder = encoder;
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#streams.length;
  }

  async read(samples: Float32Array): Promise<CrossKeys> {
    const readMs = this.#nowMs();
    this.#streams = this.#streams.filter((each) => readMs - each.readMs < KEPT_MS);
    let [stream, from] = this.#find(samples);
    // Remove the stream while it is being read: another window may arrive in the meantime.
    this.#streams = this.#streams.filter((each) => each.stream !== stream);
    if (stream.length + samples.length > SAMPLES_MAX && from > 0) from -= stream.forget(from);
    const keys = await stream.read(samples, from);
    if (stream.length > 0) this.#streams = [...this.#streams, { stream, readMs }].slice(-STREAMS_MAX);
    return keys;
  }

  #find(samples: Float32Array): [AudioStream, number] {
    for (const { stream } of this.#streams.toReversed()) {
      const from = samples.length >= BLOCK_SAMPLES ? stream.continues(samples) : null;
      if (from !== null) return [stream, from];
    }
    return [new AudioStream(this.#encoder), 0];
  }
}
