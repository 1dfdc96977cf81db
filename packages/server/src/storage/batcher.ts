// Group commit: items submitted while a batch runs form the next batch.

export interface BatcherOptions<Item, Result> {
  /** Processes one batch and returns one result per item, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly batchItemsMax: number;
  readonly queueItemsMax: number;
  readonly queueFullError: () => Error;
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
    if (this.#queue.length >= this.#options.queueItemsMax) return Promise.reject(this.#options.queueFullError());
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Items submitted in the same turn of the event loop share the first batch.
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
