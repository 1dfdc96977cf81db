// The streams that a process is reading: a window that continues one of them costs only what is new in it.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { CrossKeys, StreamingEncoder } from './encoder-graphs.ts';
import { AudioStream, BLOCK_SAMPLES } from './stream.ts';

/** Streams kept per process; the one that was read longest ago gives way. */
const STREAMS_MAX = 8;
/** Audio kept per stream: an utterance that is longer is kept from where it was last read. */
const SAMPLES_MAX = 40 * SAMPLE_RATE_HZ;

export class AudioStreams {
  readonly #encoder: StreamingEncoder;
  /** The one read last is the last. */
  #streams: AudioStream[] = [];

  constructor(encoder: StreamingEncoder) {
    this.#encoder = encoder;
  }

  get size(): number {
    return this.#streams.length;
  }

  async read(samples: Float32Array): Promise<CrossKeys> {
    let [stream, from] = this.#find(samples);
    // Another window may be read before this one has been.
    this.#streams = this.#streams.filter((each) => each !== stream);
    if (stream.length + samples.length > SAMPLES_MAX && from > 0) from -= stream.forget(from);
    const keys = await stream.read(samples, from);
    if (stream.length > 0) this.#streams = [...this.#streams, stream].slice(-STREAMS_MAX);
    return keys;
  }

  #find(samples: Float32Array): [AudioStream, number] {
    for (const stream of this.#streams.toReversed()) {
      const from = samples.length >= BLOCK_SAMPLES ? stream.continues(samples) : null;
      if (from !== null) return [stream, from];
    }
    return [new AudioStream(this.#encoder), 0];
  }
}
