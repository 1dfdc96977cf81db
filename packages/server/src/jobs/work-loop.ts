// Claims items from a queue in the database and runs a bounded number of them at a time.

/** How often to look for items that other processes have queued. */
const POLL_MS = 1_000;

export interface WorkLoopOptions<Item> {
  readonly concurrency: number;
  /** Runs before each round of claims. */
  readonly prepare?: () => Promise<void>;
  /** Returns null if there is nothing to do. */
  readonly claim: () => Promise<Item | null>;
  readonly run: (item: Item) => Promise<void>;
  readonly onPollFailure: (cause: unknown) => void;
  readonly onRunFailure: (cause: unknown, item: Item) => void;
}

export class WorkLoop<Item> {
  readonly #options: WorkLoopOptions<Item>;
  readonly #running = new Set<Promise<void>>();
  #state: 'idle' | 'open' | 'stopped' = 'idle';
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #wokenWhilePolling = false;

  constructor(options: WorkLoopOptions<Item>) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'open';
    this.wake();
  }

  /** Polls now instead of at the next interval. */
  wake(): void {
    if (this.#state !== 'open') return;
    this.#wokenWhilePolling = true;
    clearTimeout(this.#timer);
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined;
      if (this.#wokenWhilePolling) this.wake();
      else if (this.#state === 'open') this.#timer = setTimeout(() => this.wake(), POLL_MS).unref();
    });
  }

  /** Claims nothing more. Items that run continue. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    await this.#polling;
  }

  /** Resolves when the items that run now have ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #poll(): Promise<void> {
    this.#wokenWhilePolling = false;
    const { prepare, claim, concurrency, onPollFailure } = this.#options;
    try {
      await prepare?.();
      while (this.#running.size < concurrency && this.#state === 'open') {
        const item = await claim();
        if (item === null) return;
        this.#begin(item);
      }
    } catch (cause) {
      onPollFailure(cause);
    }
  }

  #begin(item: Item): void {
    const { run, onRunFailure } = this.#options;
    const running = run(item)
      .catch((cause) => onRunFailure(cause, item))
      .finally(() => {
        this.#running.delete(running);
        this.wake();
      });
    this.#running.add(running);
  }
}
