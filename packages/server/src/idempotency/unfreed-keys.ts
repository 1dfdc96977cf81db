// Keys that this process no longer handles, until the database knows it. Changes that fail are tried again.
import { orUnavailable } from '../storage/unavailable.ts';

const RETRY_EVERY_MS = 1_000;
const RETRY_AT_ONCE_MAX = 100;
/** Beyond this, new keys are not retried: other processes wait until this one ends. */
const KEYS_MAX = 5_000;

interface Unfreed {
  readonly change: () => Promise<void>;
  running: Promise<void> | undefined;
}

export class UnfreedKeys {
  readonly #keys = new Map<string, Unfreed>();
  readonly #onFailure: (err: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closed' = 'open';

  /** `onFailure` is called when the first attempt fails. */
  constructor(onFailure: (err: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Frees the key by this change. Resolves after the first attempt; never rejects. */
  async free(hash: string, change: () => Promise<void>): Promise<void> {
    const key = this.#add(hash, change);
    await this.#try(hash, key).catch((err: unknown) => {
      if (this.#keys.size > KEYS_MAX) this.#keys.delete(hash);
      this.#onFailure(err);
      this.#startTimer();
    });
  }

  /** Like `free`, but leaves the first attempt to the timer. */
  freeLater(hash: string, change: () => Promise<void>): void {
    if (this.#keys.size >= KEYS_MAX) return;
    this.#add(hash, change);
    this.#startTimer();
  }

  /** Call this before the key is claimed again, so that no late change frees the new claim. */
  async freeNow(hash: string): Promise<void> {
    const key = this.#keys.get(hash);
    if (key) await orUnavailable(this.#try(hash, key));
  }

  /** The keys that are left become free when this process's lease ends. */
  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    await Promise.allSettled([...this.#keys.values()].map(({ running }) => running));
  }

  #add(hash: string, change: () => Promise<void>): Unfreed {
    const key: Unfreed = { change, running: undefined };
    this.#keys.set(hash, key);
    return key;
  }

  #try(hash: string, key: Unfreed): Promise<void> {
    key.running ??= key.change().then(
      () => {
        this.#keys.delete(hash);
      },
      (err: unknown) => {
        key.running = undefined;
        throw err;
      },
    );
    return key.running;
  }

  #startTimer(): void {
    if (this.#state === 'closed' || this.#keys.size === 0) return;
    this.#timer ??= setTimeout(() => {
      void this.#retry().finally(() => {
        this.#timer = undefined;
        this.#startTimer();
      });
    }, RETRY_EVERY_MS).unref();
  }

  /** Stops at the first failure: until the database is back, every other change would fail too. */
  async #retry(): Promise<void> {
    const all = [...this.#keys];
    for (let at = 0; at < all.length && this.#state === 'open'; at += RETRY_AT_ONCE_MAX) {
      const some = all.slice(at, at + RETRY_AT_ONCE_MAX).map(([hash, key]) => this.#try(hash, key));
      const outcomes = await Promise.allSettled(some);
      if (outcomes.some(({ status }) => status === 'rejected')) return;
    }
  }
}
