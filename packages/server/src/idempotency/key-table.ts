// The table of idempotency keys, shared by all nodes.
import { sql } from '#kysely';
import { Fault } from '../lib/fault.ts';
import { Batcher } from '../storage/batcher.ts';
import { databaseNowMs } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { isAlive } from '../storage/process-lease.ts';
import type { DatabaseTransaction } from '../storage/schema.ts';
import { orUnavailable } from '../storage/unavailable.ts';
import { recordedStatus } from '../usage/ledger/recorded-status.ts';

export const KEEP_MS = 24 * 60 * 60_000;
const BATCH_MAX = 100;
const QUEUE_MAX = 5_000;
const SWEEP_ROWS_MAX = 500;
/** The holder of an abandoned key: like a process that has died. */
const NOBODY = '';

export type FoundKey =
  /** Now claimed by this request. */
  | { readonly kind: 'new'; readonly requestId: string }
  /** Its request was billed, but the answer is lost. */
  | { readonly kind: 'billed'; readonly requestId: string; readonly fingerprint: string | null }
  | { readonly kind: 'answered'; readonly requestId: string; readonly fingerprint: string; readonly answer: Uint8Array }
  /** Another process handles its request. */
  | { readonly kind: 'held elsewhere' };

export interface KeyRequest {
  readonly hash: string;
  readonly accountId: string;
  readonly requestId: string;
}

type Change =
  | ({ readonly kind: 'claim' } & KeyRequest)
  | { readonly kind: 'fingerprint'; readonly hash: string; readonly fingerprint: string }
  | { readonly kind: 'answer'; readonly hash: string; readonly answer: Uint8Array }
  | { readonly kind: 'end'; readonly hash: string; readonly fingerprint: string | null }
  | { readonly kind: 'abandon'; readonly hash: string }
  | { readonly kind: 'release'; readonly hash: string };

export class KeyTable {
  readonly #storage: Storage;
  readonly #holderId: string;
  readonly #changes: Batcher<Change, FoundKey | undefined>;

  constructor(storage: Storage, holderId: string) {
    this.#storage = storage;
    this.#holderId = holderId;
    this.#changes = new Batcher({
      run: (changes) =>
        storage.write.transaction().execute(async (trx) => {
          const found: (FoundKey | undefined)[] = [];
          for (const change of changes) found.push(await this.#apply(trx, change));
          return found;
        }),
      batchItemsMax: BATCH_MAX,
      queueItemsMax: QUEUE_MAX,
      queueFullError: () => new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    });
  }

  async claim(request: KeyRequest): Promise<FoundKey> {
    return (await orUnavailable(this.#changes.submit({ kind: 'claim', ...request })))!;
  }

  async storeFingerprint(hash: string, fingerprint: string): Promise<void> {
    await orUnavailable(this.#changes.submit({ kind: 'fingerprint', hash, fingerprint }));
  }

  /** Stores the encrypted answer. Call this before the request is billed. */
  async storeAnswer(hash: string, answer: Uint8Array): Promise<void> {
    await orUnavailable(this.#changes.submit({ kind: 'answer', hash, answer }));
  }

  /** Marks the request as billed and done. */
  async end(hash: string, fingerprint: string | null): Promise<void> {
    await this.#changes.submit({ kind: 'end', hash, fingerprint });
  }

  /** Leaves the key to the next request of any process, which looks the outcome up in the ledger. */
  async abandon(hash: string): Promise<void> {
    await this.#changes.submit({ kind: 'abandon', hash });
  }

  /** Frees the key after the request has failed. */
  async release(hash: string): Promise<void> {
    await this.#changes.submit({ kind: 'release', hash });
  }

  /** Deletes expired keys. Returns the bytes of stored answers by account. */
  async sweep(hasAnswers: boolean): Promise<ReadonlyMap<string, number>> {
    const { engine, write } = this.#storage;
    const expired = write
      .selectFrom('idempotency_keys')
      .select('hash')
      .where('expires_at_ms', '<=', databaseNowMs(engine))
      .limit(SWEEP_ROWS_MAX);
    for (;;) {
      const { numDeletedRows } = await write
        .deleteFrom('idempotency_keys')
        .where('hash', 'in', expired)
        .executeTakeFirstOrThrow();
      if (Number(numDeletedRows) < SWEEP_ROWS_MAX) break;
    }
    if (!hasAnswers) return new Map();
    const rows = await this.#storage.report
      .selectFrom('idempotency_keys')
      .select(['account_id', ({ fn }) => fn.sum<number>('answer_bytes').as('bytes')])
      .where('answer_bytes', '>', 0)
      .groupBy('account_id')
      .execute();
    return new Map(rows.map(({ account_id, bytes }) => [account_id, Number(bytes)]));
  }

  async idle(): Promise<void> {
    await this.#changes.idle();
  }

  async #apply(trx: DatabaseTransaction, change: Change): Promise<FoundKey | undefined> {
    if (change.kind === 'claim') return this.#claim(trx, change);
    // A process that lost the key to another one must not change it.
    const own = { hash: change.hash, holder_id: this.#holderId };
    if (change.kind === 'release') {
      await trx
        .deleteFrom('idempotency_keys')
        .where('hash', '=', own.hash)
        .where('holder_id', '=', own.holder_id)
        .execute();
      return undefined;
    }
    await trx
      .updateTable('idempotency_keys')
      .set(columnsOf(change))
      .where('hash', '=', own.hash)
      .where('holder_id', '=', own.holder_id)
      .execute();
    return undefined;
  }

  async #claim(trx: DatabaseTransaction, { hash, accountId, requestId }: KeyRequest): Promise<FoundKey> {
    const { engine } = this.#storage;
    const nowMs = databaseNowMs(engine);
    const expiresAtMs = sql<number>`${nowMs} + ${sql.lit(KEEP_MS)}`;
    await trx.deleteFrom('idempotency_keys').where('hash', '=', hash).where('expires_at_ms', '<=', nowMs).execute();
    const fresh = {
      request_id: requestId,
      holder_id: this.#holderId,
      fingerprint: null,
      answer: null,
      answer_bytes: 0,
      expires_at_ms: expiresAtMs,
    };
    const inserted = await trx
      .insertInto('idempotency_keys')
      .values({ hash, account_id: accountId, ...fresh })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('hash')
      .executeTakeFirst();
    if (inserted) return { kind: 'new', requestId };
    const lock = trx.selectFrom('idempotency_keys').selectAll().where('hash', '=', hash);
    const row = await (engine === 'postgres' ? lock.forUpdate() : lock)
      .select(isAlive(this.#storage, sql.ref('idempotency_keys.holder_id')).as('is_alive'))
      .executeTakeFirst();
    // Released by another process just now.
    if (!row) return { kind: 'held elsewhere' };
    // A row of this process is a leftover of a failed change: the caller checks first which keys it holds.
    if (row.holder_id !== null && row.holder_id !== this.#holderId && row.is_alive) return { kind: 'held elsewhere' };
    const found = { requestId: row.request_id, fingerprint: row.fingerprint };
    const status = row.holder_id === null ? 'success' : await recordedStatus(trx, row.request_id);
    if (status === 'success' && row.answer !== null && row.fingerprint !== null) {
      if (row.holder_id !== null) await this.#setHolder(trx, hash, null);
      return { kind: 'answered', requestId: row.request_id, fingerprint: row.fingerprint, answer: row.answer };
    }
    if (status === 'success') {
      await this.#setHolder(trx, hash, this.#holderId);
      return { kind: 'billed', ...found };
    }
    // A failed request gets a new id. One without a ledger row keeps its id, because the row may still be written.
    const next = status === null ? row.request_id : requestId;
    await trx
      .updateTable('idempotency_keys')
      .set({ ...fresh, request_id: next })
      .where('hash', '=', hash)
      .execute();
    return { kind: 'new', requestId: next };
  }

  async #setHolder(trx: DatabaseTransaction, hash: string, holderId: string | null): Promise<void> {
    await trx.updateTable('idempotency_keys').set({ holder_id: holderId }).where('hash', '=', hash).execute();
  }
}

const columnsOf = (change: Exclude<Change, { kind: 'claim' | 'release' }>) => {
  switch (change.kind) {
    case 'fingerprint':
      return { fingerprint: change.fingerprint };
    case 'answer':
      return { answer: change.answer, answer_bytes: change.answer.length };
    case 'end':
      return { holder_id: null, ...(change.fingerprint !== null && { fingerprint: change.fingerprint }) };
    case 'abandon':
      return { holder_id: NOBODY };
  }
};
