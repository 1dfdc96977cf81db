// A queue of decoded samples for one reader; every pending read is resolved or rejected.

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
  /** Called when the reader has read everything and asks for more, and when the queue ends. */
  onStarved: () => void = () => undefined;

  /** `onTaken` is called for all samples that are read, so that more can be decoded. */
  constructor(onTaken: (samples: number) => void) {
    this.#onTaken = onTaken;
  }

  get isOpen(): boolean {
    return this.#outcome === undefined;
  }

  /** Whether everything has been read and processed. */
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

  /** Queued samples can still be read. */
  end(): void {
    this.#finish({ kind: 'ended' });
  }

  /** Drops queued samples, so that the reader sees the error at once. */
  fail(error: unknown): void {
    if (this.#outcome?.kind === 'failed') return;
    this.#waiting = [];
    this.#finish({ kind: 'failed', error });
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

  #finish(outcome: Outcome): void {
    this.#outcome = outcome;
    for (const reader of this.#readers.splice(0)) {
      if (outcome.kind === 'failed') reader.reject(outcome.error);
      else reader.resolve({ done: true, value: undefined });
    }
    this.onStarved();
  }
}

export const abortError = (): Error => new DOMException('The decoding was aborted.', 'AbortError');
