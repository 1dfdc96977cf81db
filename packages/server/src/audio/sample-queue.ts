// A queue of decoded samples that waits for its reader: one reader at a time, and every read settles.

type Outcome = { readonly kind: 'ended' } | { readonly kind: 'failed'; readonly error: unknown };
interface Reader {
  resolve(result: IteratorResult<Float32Array, undefined>): void;
  reject(error: unknown): void;
}

export class SampleQueue {
  #waiting: Float32Array[] = [];
  #outcome: Outcome | undefined;
  readonly #readers: Reader[] = [];
  readonly #onTaken: (samples: number) => void;
  /** Called when the reader has taken everything and comes back for more, and when there will be no more. */
  onStarved: () => void = () => undefined;

  /** onTaken is told of all samples that leave here, so that more can be made. */
  constructor(onTaken: (samples: number) => void) {
    this.#onTaken = onTaken;
  }

  get isOpen(): boolean {
    return this.#outcome === undefined;
  }

  /** Whether everything that was put here has been read, and the reader is done with it. */
  get isStarved(): boolean {
    return this.#readers.length > 0 || this.#outcome !== undefined;
  }

  put(samples: Float32Array): void {
    if (this.#outcome || samples.length === 0) return;
    const reader = this.#readers.shift();
    if (!reader) {
      this.#waiting.push(samples);
      return;
    }
    reader.resolve({ done: false, value: samples });
    this.#onTaken(samples.length);
  }

  /** What waits can still be read. */
  end(): void {
    this.#settle({ kind: 'ended' });
  }

  /** What waits is dropped: the failure is known at once. */
  fail(error: unknown): void {
    if (this.#outcome?.kind === 'failed') return;
    this.#waiting = [];
    this.#settle({ kind: 'failed', error });
  }

  next(): Promise<IteratorResult<Float32Array, undefined>> {
    const samples = this.#waiting.shift();
    if (samples) {
      this.#onTaken(samples.length);
      return Promise.resolve({ done: false, value: samples });
    }
    if (this.#outcome?.kind === 'failed') return Promise.reject(this.#outcome.error);
    if (this.#outcome) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      this.onStarved();
    });
  }

  #settle(outcome: Outcome): void {
    this.#outcome = outcome;
    for (const reader of this.#readers.splice(0)) {
      if (outcome.kind === 'failed') reader.reject(outcome.error);
      else reader.resolve({ done: true, value: undefined });
    }
    this.onStarved();
  }
}

/** The reader left on its own accord: nothing failed, but what is unread will never be read. */
export const abortError = (): Error => new DOMException('The decoding was aborted.', 'AbortError');
