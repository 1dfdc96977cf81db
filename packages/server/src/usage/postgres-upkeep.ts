// Regular work on the usage rows of a PostgreSQL database.
import type { Storage } from '../storage/open.ts';

export interface UpkeepOptions {
  readonly everyMs: number;
  readonly run: (storage: Storage) => Promise<unknown>;
  readonly onFailure: (cause: unknown) => void;
}

/** Runs at once, then regularly. Does nothing on SQLite, which has one writer and no partitions. */
export class PostgresUpkeep {
  readonly #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage, { everyMs, run, onFailure }: UpkeepOptions) {
    if (storage.engine === 'sqlite') return;
    const start = () => {
      this.#running = this.#running.then(() => run(storage)).catch(onFailure);
    };
    start();
    this.#timer = setInterval(start, everyMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }
}
