// Records when each key was last used.
import { DeferredWrites } from '../../storage/deferred-writes.ts';
import type { Storage } from '../../storage/open.ts';

const KEYS_MAX = 2_000;

export class LastUsed {
  readonly #storage: Storage;
  readonly #times = new DeferredWrites<number>({ write: (times) => this.#write(times), entriesMax: KEYS_MAX });

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  set(keyId: string, atMs: number): void {
    this.#times.set(keyId, () => atMs);
  }

  flush(): Promise<void> {
    return this.#times.flush();
  }

  #write(times: readonly (readonly [string, number])[]): Promise<void> {
    return this.#storage.write.transaction().execute(async (trx) => {
      for (const [keyId, atMs] of times)
        await trx
          .updateTable('api_keys')
          .set({ last_used_at_ms: atMs })
          .where('id', '=', keyId)
          // Another node may have written a later time.
          .where(({ eb, or }) => or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<', atMs)]))
          .execute();
    });
  }
}
