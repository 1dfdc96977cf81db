// The meter on the database. Rows recorded during a commit share the next one.
import { Fault } from '../../lib/fault.ts';
import { Batcher } from '../../storage/batcher.ts';
import type { Storage } from '../../storage/open.ts';
import type { UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { unavailable } from '../../storage/unavailable.ts';
import { type BudgetEvent, type BudgetStop, budgetExceeded } from '../budgets/budget.ts';
import { ChainEndCache } from '../chain/ends.ts';
import type { Meter, UsageEntry } from '../meter.ts';
import { toRow } from './entry-row.ts';
import { insertMissing, insertNew, type NewRow, reconcile, type Written } from './ledger-write.ts';

const BATCH_ROWS_MAX = 100;
const QUEUE_ROWS_MAX = 5_000;
const UNCERTAIN_ROWS_MAX = 5_000;
const RECONCILE_EVERY_MS = 1_000;

export interface LedgerMeterOptions {
  /** Called once per event, after its commit. */
  readonly onBudget?: (event: BudgetEvent) => void;
  /** Beyond this, new uncertain rows are dropped: in an outage, only the oldest may have been committed. */
  readonly uncertainRowsMax?: number;
}

export class LedgerMeter implements Meter {
  readonly #storage: Storage;
  readonly #onBudget: (event: BudgetEvent) => void;
  readonly #uncertainRowsMax: number;
  readonly #commits: Batcher<NewRow, BudgetStop | undefined>;
  /**
   * Rows whose commit failed or is uncertain, and whose caller got an error. They are reconciled when the database is
   * back: a success becomes SERVICE_UNAVAILABLE and is billed 0; other rows are written unchanged.
   */
  readonly #uncertain = new Map<string, UsageRow>();
  readonly #ends = new ChainEndCache();
  #reconciling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #state: 'open' | 'closing' = 'open';

  constructor(
    storage: Storage,
    { onBudget = () => {}, uncertainRowsMax = UNCERTAIN_ROWS_MAX }: LedgerMeterOptions = {},
  ) {
    this.#storage = storage;
    this.#onBudget = onBudget;
    this.#uncertainRowsMax = uncertainRowsMax;
    this.#commits = new Batcher({
      run: (rows) => this.#commit(rows),
      batchItemsMax: BATCH_ROWS_MAX,
      queueItemsMax: QUEUE_ROWS_MAX,
      queueFullError: () => new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    });
  }

  async record(entry: UsageEntry): Promise<void> {
    const row = toRow(entry);
    let stop: BudgetStop | undefined;
    try {
      stop = await this.#commits.submit({ row, isRefusable: entry.isRefusable ?? false });
    } catch (cause) {
      this.#reconcileLater(row);
      throw unavailable(cause);
    }
    // Recorded again after an earlier failure: the success is final.
    if (row.status === 'success') this.#uncertain.delete(row.request_id);
    if (stop !== undefined) throw budgetExceeded(stop, Date.now());
  }

  /**
   * Writes the row in one transaction with `change`, unless `change` returns false. Resolves to its result; rejects if
   * the outcome of the commit is unknown. Leaves an existing success unchanged.
   */
  async recordWith(entry: UsageEntry, change: (trx: DatabaseTransaction) => Promise<boolean>): Promise<boolean> {
    const row = toRow(entry);
    let isApplied = false;
    await this.#transact(async (trx) => {
      isApplied = await change(trx);
      // Not refusable: the job was accepted within its budget, and its result is stored.
      const rows = isApplied ? [{ row, isRefusable: false }] : [];
      return insertMissing(this.#storage.engine, trx, rows);
    });
    return isApplied;
  }

  /** Resolves when the ledger agrees with the error that this request's caller got. Rejects while it cannot. */
  async settle(requestId: string): Promise<void> {
    if (!this.#uncertain.has(requestId)) return;
    await this.#reconcile();
    if (this.#uncertain.has(requestId)) throw unavailable(new Error('the usage row is not reconciled yet'));
  }

  /** Waits for pending commits and reconciles once more. */
  async close(): Promise<void> {
    this.#state = 'closing';
    clearTimeout(this.#timer);
    await this.#commits.idle();
    await this.#reconcile();
  }

  async #commit(rows: readonly NewRow[]): Promise<(BudgetStop | undefined)[]> {
    const { engine } = this.#storage;
    const cached = (accountIds: readonly string[]) => (engine === 'sqlite' ? this.#ends.get(accountIds) : undefined);
    const { stops } = await this.#transact((trx) => insertNew(engine, trx, rows, cached)).catch(() =>
      // Retries after a LedgerConflict, a dead connection or a deadlock.
      this.#transact((trx) => insertMissing(engine, trx, rows)),
    );
    return rows.map(({ row }) => stops.get(row.request_id));
  }

  async #transact(work: (trx: DatabaseTransaction) => Promise<Written>): Promise<Written> {
    try {
      const written = await this.#storage.write.transaction().execute(work);
      this.#ends.set(written.ends);
      for (const event of written.events) this.#onBudget(event);
      return written;
    } catch (cause) {
      // The commit may have succeeded, so the cached ends may be stale.
      this.#ends.clear();
      throw cause;
    }
  }

  #reconcileLater(row: UsageRow): void {
    if (this.#uncertain.size < this.#uncertainRowsMax) this.#uncertain.set(row.request_id, row);
    this.#startTimer();
  }

  #startTimer(): void {
    if (this.#state !== 'open' || this.#uncertain.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#reconcile().then(() => this.#startTimer());
    }, RECONCILE_EVERY_MS).unref();
  }

  /** Never rejects; rows that fail stay for the next attempt. */
  #reconcile(): Promise<void> {
    this.#reconciling ??= this.#reconcileAll().finally(() => {
      this.#reconciling = undefined;
    });
    return this.#reconciling;
  }

  async #reconcileAll(): Promise<void> {
    while (this.#uncertain.size > 0) {
      const rows = [...this.#uncertain.values()].slice(0, BATCH_ROWS_MAX);
      try {
        await this.#transact((trx) => reconcile(this.#storage.engine, trx, rows));
      } catch {
        return;
      }
      for (const row of rows) if (this.#uncertain.get(row.request_id) === row) this.#uncertain.delete(row.request_id);
    }
  }
}
