// Collects values in memory and writes them together after a few seconds.

const FLUSH_AFTER_MS = 5_000;

export interface DeferredWritesOptions<Value> {
  /** Receives the entries sorted by key: a fixed order prevents deadlocks between nodes. */
  readonly write: (entries: readonly (readonly [key: string, value: Value])[]) => Promise<void>;
  /** New keys beyond this many are dropped until the next flush. */
  readonly entriesMax: number;
}

export class DeferredWrites<Value> {
  readonly #options: DeferredWritesOptions<Value>;
  #pending = new Map<string, Value>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: DeferredWritesOptions<Value>) {
    this.#options = options;
  }

  set(key: string, next: (pending: Value | undefined) => Value): void {
    if (this.#pending.size >= this.#options.entriesMax && !this.#pending.has(key)) return;
    this.#pending.set(key, next(this.#pending.get(key)));
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Never rejects; values that cannot be written are lost. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#pending].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#pending = new Map();
    if (entries.length > 0) this.#flushing = this.#flushing.then(() => this.#options.write(entries)).catch(() => {});
    return this.#flushing;
  }
}
