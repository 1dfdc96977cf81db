// The streams that a process is reading: a window that continues one of them costs only what is new in it.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { CrossKeys, StreamingEncoder } from './encoder-graphs.ts';
import { AudioStream, BLOCK_SAMPLES } from './stream.ts';

/** Streams kept per process; the one that was read longest ago gives way. */
const STREAMS_MAX = 8;
/** Audio kept per stream: an utterance that is longer is kept from where it was last read. */
const SAMPLES_MAX = 40 * SAMPLE_RATE_HZ;
/** Nobody's audio is kept for longer than its next reading may take. */
const KEPT_MS = 30_000;

interface ReadStream {
  readonly stream: AudioStream;
  readonly readMs: number;
}

export class AudioStreams {
  readonly #encoder: StreamingEncoder;
  readonly #nowMs: () => number;
  /** The one read last is the last. */
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
    // Another window may be read before this one has been.
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
