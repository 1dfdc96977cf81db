// A decoder that reports when its last sample was read, for tracing.
import type { UploadDecoder } from '../audio/upload-decoding.ts';

export class TracedDecoder implements UploadDecoder {
  readonly #decoder: UploadDecoder;
  readonly #onEnd: (outcome: 'done' | 'failed') => void;

  constructor(decoder: UploadDecoder, onEnd: (outcome: 'done' | 'failed') => void) {
    this.#decoder = decoder;
    this.#onEnd = onEnd;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#decoder.write(bytes);
  }

  end(): void {
    this.#decoder.end();
  }

  abort(): void {
    this.#decoder.abort();
  }

  get durationSeconds(): number {
    return this.#decoder.durationSeconds;
  }

  get channelActivity(): Uint8Array {
    return this.#decoder.channelActivity ?? new Uint8Array(0);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Float32Array> {
    let outcome: 'done' | 'failed' = 'failed';
    try {
      yield* this.#decoder;
      outcome = 'done';
    } finally {
      this.#onEnd(outcome);
    }
  }
}
