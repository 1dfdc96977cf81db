// Collects small chunks of a body, so that a million tiny chunks do not become a million objects.

const SMALL_BYTES = 512;
const COLLECTED_BYTES_MAX = 4096;
/** How long a small chunk may wait for more. */
const WAIT_MS_MAX = 20;

export class SmallChunks {
  readonly #give: (bytes: Buffer) => void;
  #collected: Buffer | undefined;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(give: (bytes: Buffer) => void) {
    this.#give = give;
  }

  push(chunk: Buffer): void {
    if (chunk.length < SMALL_BYTES && this.#bytes + chunk.length <= COLLECTED_BYTES_MAX) {
      this.#collected ??= Buffer.allocUnsafeSlow(COLLECTED_BYTES_MAX);
      chunk.copy(this.#collected, this.#bytes);
      this.#bytes += chunk.length;
      this.#timer ??= setTimeout(() => this.#give(this.take()), WAIT_MS_MAX);
    } else this.#give(this.#bytes === 0 ? chunk : Buffer.concat([this.take(), chunk]));
  }

  /** The collected bytes. Ends the wait for more. */
  take(): Buffer {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Copied, because what keeps a few bytes must not keep the whole buffer.
    const bytes = Buffer.from(this.#collected?.subarray(0, this.#bytes) ?? []);
    this.#bytes = 0;
    return bytes;
  }
}
