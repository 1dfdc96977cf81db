// When each key was last used: noted in memory on the hot path, written now and then in one go.
import type { Storage } from '../../storage/open.ts';

const FLUSH_AFTER_MS = 5_000;
/** More keys than this in use between two flushes: the spare ones keep their older time, nothing else is lost. */
const NOTED_KEYS_MAX = 2_000;

export class LastUsed {
  readonly #storage: Storage;
  #noted = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  note(keyId: string, atMs: number): void {
    if (this.#noted.size >= NOTED_KEYS_MAX && !this.#noted.has(keyId)) return;
    this.#noted.set(keyId, atMs);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  /** Never rejects: a time that cannot be written now is written with a later use. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const noted = [...this.#noted].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#noted = new Map();
    if (noted.length > 0) this.#flushing = this.#flushing.then(() => this.#write(noted)).catch(() => {});
    return this.#flushing;
  }

  #write(noted: readonly (readonly [string, number])[]): Promise<void> {
    return this.#storage.write.transaction().execute(async (trx) => {
      for (const [keyId, atMs] of noted)
        await trx
          .updateTable('api_keys')
          .set({ last_used_at_ms: atMs })
          .where('id', '=', keyId)
          // Another node may have seen the key later.
          .where(({ eb, or }) => or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<', atMs)]))
          .execute();
    });
  }
}
