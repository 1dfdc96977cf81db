// The meter on the database: rows that arrive while a commit is under way share the next one.
import { Fault } from '../platform/fault.ts';
import { Batcher } from '../storage/batcher.ts';
import type { Storage } from '../storage/open.ts';
import type { DatabaseTransaction, UsageRecordsTable } from '../storage/schema.ts';
import { unavailable } from '../storage/unavailable.ts';
import { addToDaily, dailyShare } from './daily.ts';
import { toRow } from './entry-row.ts';
import type { Meter, UsageEntry } from './meter.ts';

const BATCH_ROWS_MAX = 100;
const QUEUE_ROWS_MAX = 5_000;
/** Refused rows that are kept to be written as refusals; beyond this many the oldest are let go. */
const REFUSED_ROWS_MAX = 5_000;
const SETTLE_EVERY_MS = 1_000;

export class LedgerMeter implements Meter {
  readonly #storage: Storage;
  readonly #commits: Batcher<UsageRecordsTable, undefined>;
  /**
   * Rows whose caller was told that they are not durable. A lost connection leaves open whether its commit held, so
   * each is settled when the database is back. A success that was refused is none: it becomes SERVICE_UNAVAILABLE,
   * billed 0. Other rows say what happened already, and are written as they were.
   */
  readonly #refused = new Map<string, UsageRecordsTable>();
  #settling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closing' = 'open';

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#commits = new Batcher({
      run: (rows) => this.#commit(rows),
      batchItemsMax: BATCH_ROWS_MAX,
      queueItemsMax: QUEUE_ROWS_MAX,
      whenFull: () => new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    });
  }

  async record(entry: UsageEntry): Promise<void> {
    const row = toRow(entry);
    try {
      await this.#commits.submit(row);
    } catch (cause) {
      this.#refuse(row);
      throw unavailable(cause);
    }
    // Told durable after an earlier refusal: from here on the success stands.
    if (row.status === 'success') this.#refused.delete(row.request_id);
  }

  /**
   * Writes the row in one transaction with something else, which says whether both stand. Resolves to what it said; rejects
   * when it is not known whether they do. A row that is there already is left as it is.
   */
  async recordWith(entry: UsageEntry, also: (trx: DatabaseTransaction) => Promise<boolean>): Promise<boolean> {
    const row = toRow(entry);
    return this.#storage.write.transaction().execute(async (trx) => {
      if (!(await also(trx))) return false;
      await insertRows(trx, [row]);
      return true;
    });
  }

  /** Waits for what is under way, and tries once more to settle what was refused. */
  async close(): Promise<void> {
    this.#state = 'closing';
    clearTimeout(this.#timer);
    await this.#commits.idle();
    await this.#settle();
  }

  async #commit(rows: readonly UsageRecordsTable[]): Promise<undefined[]> {
    try {
      await this.#transact((trx) => insertRows(trx, rows));
    } catch {
      // Once more: a connection that had died unnoticed, or a deadlock. Rows that did get in are not written twice.
      await this.#transact((trx) => insertRows(trx, rows));
    }
    return rows.map(() => undefined);
  }

  #transact(work: (trx: DatabaseTransaction) => Promise<void>): Promise<void> {
    return this.#storage.write.transaction().execute(work);
  }

  #refuse(row: UsageRecordsTable): void {
    if (this.#refused.size >= REFUSED_ROWS_MAX) this.#refused.delete(this.#refused.keys().next().value!);
    this.#refused.set(row.request_id, row);
    this.#settleLater();
  }

  #settleLater(): void {
    if (this.#state !== 'open' || this.#refused.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#settle().then(() => this.#settleLater());
    }, SETTLE_EVERY_MS).unref();
  }

  /** Never rejects; what cannot be settled now stays for the next time. */
  #settle(): Promise<void> {
    this.#settling ??= this.#settleAll().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  async #settleAll(): Promise<void> {
    while (this.#refused.size > 0) {
      const rows = [...this.#refused.values()].slice(0, BATCH_ROWS_MAX);
      try {
        await this.#transact((trx) => settleRows(trx, rows));
      } catch {
        return;
      }
      for (const row of rows) if (this.#refused.get(row.request_id) === row) this.#refused.delete(row.request_id);
    }
  }
}

const insertRows = async (trx: DatabaseTransaction, rows: readonly UsageRecordsTable[]): Promise<void> => {
  // In a fixed order, so that two nodes that were handed the same requests never wait for each other in a circle.
  const sorted = [...rows].sort((a, b) => (a.request_id < b.request_id ? -1 : 1));
  const inserted = await trx
    .insertInto('usage_records')
    .values(sorted)
    .onConflict((conflict) => conflict.column('request_id').doNothing())
    .returning('request_id')
    .execute();
  const isNew = new Set(inserted.map(({ request_id }) => request_id));
  // A request that stands twice in the batch is one row, and counts once.
  const shares = rows.flatMap((row) => (isNew.delete(row.request_id) ? [dailyShare(row)] : []));
  await addToDaily(trx, shares);
};

const settleRows = async (trx: DatabaseTransaction, rows: readonly UsageRecordsTable[]): Promise<void> => {
  const ids = rows.map(({ request_id }) => request_id);
  const withdrawn = await trx
    .deleteFrom('usage_records')
    .where('request_id', 'in', ids)
    .where('status', '=', 'success')
    .returningAll()
    .execute();
  const shares = withdrawn.map((row) => dailyShare(row, -1));
  await addToDaily(trx, shares);
  const settled = rows.map((row) =>
    row.status === 'success' ? { ...row, status: 'SERVICE_UNAVAILABLE', billed_ms: 0, output_token_count: 0 } : row,
  );
  await insertRows(trx, settled);
};
