// The meter on the database: rows that arrive while a commit is under way share the next one.

import { Fault } from '../../lib/fault.ts';
import { Batcher } from '../../storage/batcher.ts';
import type { Storage } from '../../storage/open.ts';
import type { UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { unavailable } from '../../storage/unavailable.ts';
import { type BudgetEvent, budgetExceeded, type Stop } from '../budgets/budget.ts';
import { KnownEnds } from '../chain/ends.ts';
import type { Meter, UsageEntry } from '../meter.ts';
import { toRow } from './entry-row.ts';
import { insertMissing, insertNew, type NewRow, settle, type Written } from './ledger-write.ts';

const BATCH_ROWS_MAX = 100;
const QUEUE_ROWS_MAX = 5_000;
/** Refused rows that are kept to be written as refusals; beyond this many the oldest are let go. */
const REFUSED_ROWS_MAX = 5_000;
const SETTLE_EVERY_MS = 1_000;

export interface LedgerMeterOptions {
  /** Told once what happened to a budget, when that is durable. */
  readonly onBudget?: (event: BudgetEvent) => void;
}

export class LedgerMeter implements Meter {
  readonly #storage: Storage;
  readonly #onBudget: (event: BudgetEvent) => void;
  readonly #commits: Batcher<NewRow, Stop | undefined>;
  /**
   * Rows whose caller was told that they are not durable. A lost connection leaves open whether its commit held, so
   * each is settled when the database is back. A success that was refused is none: it becomes SERVICE_UNAVAILABLE,
   * billed 0. Other rows say what happened already, and are written as they were.
   */
  readonly #refused = new Map<string, UsageRow>();
  readonly #ends = new KnownEnds();
  #settling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closing' = 'open';

  constructor(storage: Storage, { onBudget = () => {} }: LedgerMeterOptions = {}) {
    this.#storage = storage;
    this.#onBudget = onBudget;
    this.#commits = new Batcher({
      run: (rows) => this.#commit(rows),
      batchItemsMax: BATCH_ROWS_MAX,
      queueItemsMax: QUEUE_ROWS_MAX,
      queueFullError: () => new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    });
  }

  async record(entry: UsageEntry): Promise<void> {
    const row = toRow(entry);
    let stop: Stop | undefined;
    try {
      stop = await this.#commits.submit({ row, isRefusable: entry.isRefusable ?? false });
    } catch (cause) {
      this.#refuse(row);
      throw unavailable(cause);
    }
    // Told durable after an earlier refusal: from here on the success stands.
    if (row.status === 'success') this.#refused.delete(row.request_id);
    if (stop !== undefined) throw budgetExceeded(stop, Date.now());
  }

  /**
   * Writes the row in one transaction with something else, which says whether both stand. Resolves to what it said; rejects
   * when it is not known whether they do. A row that is there already is left as it is.
   */
  async recordWith(entry: UsageEntry, also: (trx: DatabaseTransaction) => Promise<boolean>): Promise<boolean> {
    const row = toRow(entry);
    let stands = false;
    await this.#transact(async (trx) => {
      stands = await also(trx);
      // It was taken while there was a budget, and its result is kept already: it is billed.
      const rows = stands ? [{ row, isRefusable: false }] : [];
      return insertMissing(this.#storage.engine, trx, rows);
    });
    return stands;
  }

  /** Waits for what is under way, and tries once more to settle what was refused. */
  async close(): Promise<void> {
    this.#state = 'closing';
    clearTimeout(this.#timer);
    await this.#commits.idle();
    await this.#settle();
  }

  async #commit(rows: readonly NewRow[]): Promise<(Stop | undefined)[]> {
    const { engine } = this.#storage;
    const known = (accountIds: readonly string[]) => (engine === 'sqlite' ? this.#ends.of(accountIds) : undefined);
    const { stops } = await this.#transact((trx) => insertNew(engine, trx, rows, known)).catch(() =>
      // Once more: rows that were there already, a connection that had died unnoticed, or a deadlock.
      this.#transact((trx) => insertMissing(engine, trx, rows)),
    );
    return rows.map(({ row }) => stops.get(row.request_id));
  }

  async #transact(work: (trx: DatabaseTransaction) => Promise<Written>): Promise<Written> {
    try {
      const written = await this.#storage.write.transaction().execute(work);
      this.#ends.note(written.ends);
      for (const event of written.events) this.#onBudget(event);
      return written;
    } catch (cause) {
      // Whether it was committed or not is not known.
      this.#ends.forget();
      throw cause;
    }
  }

  #refuse(row: UsageRow): void {
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
        await this.#transact((trx) => settle(this.#storage.engine, trx, rows));
      } catch {
        return;
      }
      for (const row of rows) if (this.#refused.get(row.request_id) === row) this.#refused.delete(row.request_id);
    }
  }
}
