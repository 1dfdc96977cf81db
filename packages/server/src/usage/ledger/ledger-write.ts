// Writes ledger rows in a transaction: links them into chains, and adds them to daily sums and budgets.
import { raiseAccessVersion } from '../../storage/access-version.ts';
import type { Engine } from '../../storage/engine.ts';
import type { UsageChainsTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import type { BudgetEvent, BudgetStop } from '../budgets/budget.ts';
import { Spending } from '../budgets/spending.ts';
import { type ChainEnds, linkRows, lockEnds, saveEnds } from '../chain/ends.ts';
import { addToDailySums, dailyShare } from './daily-sums.ts';
import { insertRows } from './insert-rows.ts';
import { addTags, withdrawTags } from './tags.ts';

/** A row already exists or a chain has grown. The transaction rolls back; retry with `insertMissing`. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}

export interface NewRow {
  readonly row: UsageRow;
  /** No result has been sent yet, so the request can still be refused for a used-up budget. */
  readonly isRefusable: boolean;
  /** The withdrawn link that this row replaces. */
  readonly replacesSeq?: number | null;
}

export interface Written {
  /** The new ends of the chains. */
  readonly ends: readonly UsageChainsTable[];
  /** By request id: the used-up budget that refused it. */
  readonly stops: ReadonlyMap<string, BudgetStop>;
  readonly events: readonly BudgetEvent[];
}

interface WriteContext {
  readonly engine: Engine;
  readonly trx: DatabaseTransaction;
  readonly ends: ChainEnds;
}

const accountsOf = (rows: readonly NewRow[]): string[] => rows.map(({ row }) => row.account_id);

/** Removes repeated requests. A fixed order prevents deadlocks between nodes. */
const distinct = (rows: readonly NewRow[]): NewRow[] => {
  const first = new Map<string, NewRow>();
  for (const each of rows) if (!first.has(each.row.request_id)) first.set(each.row.request_id, each);
  return [...first.values()].sort((a, b) => (a.row.request_id < b.row.request_id ? -1 : 1));
};

/** The fast path: assumes new rows and current cached chain ends. Throws LedgerConflict otherwise. */
export const insertNew = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly NewRow[],
  knownEnds: (accountIds: readonly string[]) => ChainEnds | undefined,
): Promise<Written> => {
  const fresh = distinct(rows);
  const accountIds = accountsOf(fresh);
  const ends = knownEnds(accountIds) ?? (await lockEnds(engine, trx, accountIds));
  return write({ engine, trx, ends }, fresh, await spendingOf(trx, ends, fresh));
};

/** Inserts the rows that do not exist yet. */
export const insertMissing = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly NewRow[],
): Promise<Written> => {
  const wanted = distinct(rows);
  if (wanted.length === 0) return { ends: [], stops: new Map(), events: [] };
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const present = await presentStatuses(trx, wanted);
  const missing = wanted.filter(({ row }) => !present.has(row.request_id));
  const spending = await spendingOf(trx, ends, wanted);
  // A request that was refused for its budget stays refused when it is recorded again.
  const refused = wanted.filter(
    ({ row }) => present.get(row.request_id) === 'BUDGET_EXCEEDED' && row.status === 'success',
  );
  const stops = new Map(refused.map(({ row }) => [row.request_id, stopOfRefused(row, spending)]));
  const written = await write({ engine, trx, ends }, missing, spending);
  return { ...written, stops: new Map([...written.stops, ...stops]) };
};

/**
 * Reconciles rows whose commit was uncertain and whose caller got an error: withdraws a recorded success and writes a
 * refusal in its place. The link of the withdrawn row stays in the chain.
 */
export const reconcile = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly UsageRow[],
): Promise<Written> => {
  const wanted = distinct(rows.map((row) => ({ row, isRefusable: false })));
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const spending = await spendingOf(trx, ends, wanted);
  const withdrawn = await withdrawSuccesses(trx, wanted, spending);
  const present = await presentStatuses(trx, wanted);
  const missing = wanted
    .filter(({ row }) => !present.has(row.request_id))
    .map(({ row }) => ({
      row: asRefused(row, 'SERVICE_UNAVAILABLE'),
      isRefusable: false,
      replacesSeq: withdrawn.get(row.request_id) ?? null,
    }));
  return write({ engine, trx, ends }, missing, spending);
};

const asRefused = (row: UsageRow, status: 'SERVICE_UNAVAILABLE' | 'BUDGET_EXCEEDED'): UsageRow =>
  row.status === 'success' ? { ...row, status, billed_ms: 0, output_token_count: 0 } : row;

/** Loads counters only for accounts with budgets. */
const spendingOf = (trx: DatabaseTransaction, ends: ChainEnds, rows: readonly NewRow[]): Promise<Spending> => {
  const withBudgets = [...ends.values()].filter((end) => end.has_budgets === 1).map((end) => end.account_id);
  return Spending.load(
    trx,
    withBudgets,
    rows.map(({ row }) => row),
  );
};

/** If the budget has been raised since, the caller may retry at once. */
const stopOfRefused = (row: UsageRow, spending: Spending): BudgetStop =>
  spending.stopFor(row) ?? { keyId: null, span: 'day', opensAtMs: row.created_at_ms };

const write = async (context: WriteContext, rows: readonly NewRow[], spending: Spending): Promise<Written> => {
  const { engine, trx, ends } = context;
  const stops = new Map<string, BudgetStop>();
  const links = rows.map(({ row, isRefusable, replacesSeq = null }) => {
    const stop = isRefusable && row.billed_ms > 0 ? spending.stopFor(row) : null;
    if (stop !== null) stops.set(row.request_id, stop);
    const counted = stop === null ? row : asRefused(row, 'BUDGET_EXCEEDED');
    spending.add(counted);
    return { row: counted, replacesSeq };
  });
  const linked = linkRows(ends, links);
  if (linked.rows.length > 0) {
    if ((await insertRows(engine, trx, linked.rows)) !== linked.rows.length) throw new LedgerConflict();
    await addToDailySums(
      trx,
      linked.rows.map((row) => dailyShare(row)),
    );
    await addTags(trx, linked.rows);
    if (!(await saveEnds(trx, linked))) throw new LedgerConflict();
  }
  const events = await spending.save(trx, Date.now());
  // Makes every node reload the account, and refuse its requests before any work is done.
  if (events.some(({ kind, stops: isStop }) => kind === 'used up' && isStop)) await raiseAccessVersion(trx);
  return { ends: linked.after, stops, events };
};

const presentStatuses = async (trx: DatabaseTransaction, rows: readonly NewRow[]): Promise<Map<string, string>> => {
  const ids = rows.map(({ row }) => row.request_id);
  const found = await trx
    .selectFrom('usage_records')
    .select(['request_id', 'status'])
    .where('request_id', 'in', ids)
    .execute();
  return new Map(found.map(({ request_id, status }) => [request_id, status]));
};

/** Returns the links of the withdrawn rows, by request. */
const withdrawSuccesses = async (
  trx: DatabaseTransaction,
  rows: readonly NewRow[],
  spending: Spending,
): Promise<Map<string, number | null>> => {
  const withdrawn = await trx
    .deleteFrom('usage_records')
    .where(
      'request_id',
      'in',
      rows.map(({ row }) => row.request_id),
    )
    .where('status', '=', 'success')
    .returningAll()
    .execute();
  if (withdrawn.length === 0) return new Map();
  await trx.insertInto('usage_withdrawn').values(withdrawn).execute();
  await addToDailySums(
    trx,
    withdrawn.map((row) => dailyShare(row, -1)),
  );
  await withdrawTags(trx, withdrawn);
  for (const row of withdrawn) spending.add(row, -1);
  return new Map(withdrawn.map(({ request_id, chain_seq }) => [request_id, chain_seq]));
};
