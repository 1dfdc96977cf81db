// Gathers what arrives while a batch is under way into the next one: a commit is shared by all who waited for it.

export interface BatcherOptions<Item, Result> {
  /** Does a batch as a whole; answers in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly batchItemsMax: number;
  readonly queueItemsMax: number;
  /** What a caller is told when the queue is full. */
  readonly whenFull: () => Error;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #queue: Waiting<Item, Result>[] = [];
  #running: Promise<void> | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  submit(item: Item): Promise<Result> {
    if (this.#queue.length >= this.#options.queueItemsMax) return Promise.reject(this.#options.whenFull());
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when everything submitted so far has been answered. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Those who submit in the same turn of the event loop share the first batch.
    await null;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#options.batchItemsMax);
      try {
        const results = await this.#options.run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(results[index]!);
        });
      } catch (cause) {
        for (const { reject } of batch) reject(cause);
      }
    }
    this.#running = undefined;
  }
}
