// Counts the audio of an upload as its bytes arrive, ahead of recognition, and reports at once when it is too long.
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';

/** Bytes that may wait to be counted before the caller has to wait. */
const QUEUED_BYTES_MAX = 1024 * 1024;

export class LengthCheck {
  readonly #decoder: LiveDecoder;
  readonly #onTooLong: (fault: Fault) => void;
  #queuedBytes = 0;
  #state: 'counting' | 'over' = 'counting';

  /** `decoder` only measures. */
  constructor(decoder: LiveDecoder, onTooLong: (fault: Fault) => void) {
    this.#decoder = decoder;
    this.#onTooLong = onTooLong;
    void this.#watch();
  }

  /** Seconds of audio counted so far. */
  get seconds(): number {
    return this.#decoder.durationSeconds;
  }

  /** A promise asks the caller to wait before sending more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#state === 'over') return undefined;
    this.#queuedBytes += bytes.length;
    const counted = this.#decoder.write(bytes).then(() => {
      this.#queuedBytes -= bytes.length;
    });
    return this.#queuedBytes > QUEUED_BYTES_MAX ? counted : undefined;
  }

  complete(): void {
    this.#decoder.end();
  }

  /** Safe at any time. */
  release(): void {
    this.#state = 'over';
    this.#decoder.abort();
  }

  async #watch(): Promise<void> {
    try {
      for await (const _samples of this.#decoder);
    } catch (thrown) {
      // Other faults of the file are reported when it is decoded.
      if (this.#state === 'counting' && thrown instanceof Fault && thrown.code === 'AUDIO_TOO_LONG')
        this.#onTooLong(thrown);
    } finally {
      this.#state = 'over';
    }
  }
}
