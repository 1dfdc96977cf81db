// Writes ledger rows in a transaction: links them into chains, and adds them to daily sums and budgets.
import { raiseAccessVersion } from '../../storage/access-version.ts';
import type { Engine } from '../../storage/engine.ts';
import type { UsageChainsTable, UsageRecordsTable, UsageRow } from '../../storage/schema/usage.ts';
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

/** The rows that the ledger has already, by request. */
type PresentRows = ReadonlyMap<string, UsageRecordsTable>;

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
  return write({ engine, trx, ends }, fresh, await spendingOf(engine, trx, ends, fresh));
};

/**
 * Inserts the rows that do not exist yet. A success replaces an error: an earlier attempt of the request failed, its row
 * came late, and the caller of this attempt gets the answer.
 */
export const insertMissing = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly NewRow[],
): Promise<Written> => {
  const wanted = distinct(rows);
  if (wanted.length === 0) return { ends: [], stops: new Map(), events: [] };
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const present = await presentRows(trx, wanted);
  const spending = await spendingOf(engine, trx, ends, wanted, present);
  const failedBefore = wanted.filter(({ row }) => row.status === 'success' && hasFailed(present.get(row.request_id)));
  // A request that was refused for its budget stays refused when it is recorded again.
  const isRefused = ({ row }: NewRow) => present.get(row.request_id)?.status === 'BUDGET_EXCEEDED';
  const stops = new Map(
    failedBefore.filter(isRefused).map(({ row }) => [row.request_id, stopOfRefused(row, spending)]),
  );
  const answered = failedBefore.filter((each) => !isRefused(each));
  const missing = missingAfter(await withdraw(trx, answered, spending), wanted, present);
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
  const present = await presentRows(trx, wanted);
  const spending = await spendingOf(engine, trx, ends, wanted, present);
  const doubtful = wanted.filter(({ row }) => isSuccessOfAttempt(row, present.get(row.request_id)));
  const missing = missingAfter(await withdraw(trx, doubtful, spending), wanted, present);
  const refusals = missing.map((each) => ({ ...each, row: asRefused(each.row, 'SERVICE_UNAVAILABLE') }));
  return write({ engine, trx, ends }, refusals, spending);
};

const hasFailed = (recorded: UsageRow | undefined): boolean => recorded !== undefined && recorded.status !== 'success';

/** A later attempt of the request has another time; its caller got the answer. */
const isSuccessOfAttempt = (row: UsageRow, recorded: UsageRow | undefined): boolean =>
  recorded?.status === 'success' && recorded.created_at_ms === row.created_at_ms;

/** The rows to write after some have been withdrawn. */
const missingAfter = (
  withdrawn: ReadonlyMap<string, number>,
  wanted: readonly NewRow[],
  present: PresentRows,
): NewRow[] =>
  wanted
    .filter(({ row }) => !present.has(row.request_id) || withdrawn.has(row.request_id))
    .map((each) => ({ ...each, replacesSeq: withdrawn.get(each.row.request_id) ?? null }));

const asRefused = (row: UsageRow, status: 'SERVICE_UNAVAILABLE' | 'BUDGET_EXCEEDED'): UsageRow =>
  row.status === 'success' ? { ...row, status, billed_ms: 0, output_token_count: 0 } : row;

/** Loads the counters of the accounts with budgets. On PostgreSQL, replication may bring budgets without their flag. */
const spendingOf = (
  engine: Engine,
  trx: DatabaseTransaction,
  ends: ChainEnds,
  rows: readonly NewRow[],
  present: PresentRows = new Map(),
): Promise<Spending> => {
  const withBudgets = [...ends.values()].filter((end) => engine === 'postgres' || end.has_budgets === 1);
  return Spending.load(
    trx,
    withBudgets.map((end) => end.account_id),
    [...rows.map(({ row }) => row), ...present.values()],
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

const presentRows = async (trx: DatabaseTransaction, rows: readonly NewRow[]): Promise<PresentRows> => {
  const ids = rows.map(({ row }) => row.request_id);
  const found = await trx.selectFrom('usage_records').selectAll().where('request_id', 'in', ids).execute();
  return new Map(found.map((row) => [row.request_id, row]));
};

/** Withdraws the recorded rows of these requests. Returns the links of the withdrawn rows, by request. */
const withdraw = async (
  trx: DatabaseTransaction,
  rows: readonly NewRow[],
  spending: Spending,
): Promise<Map<string, number>> => {
  if (rows.length === 0) return new Map();
  const withdrawn = await trx
    .deleteFrom('usage_records')
    .where(
      'request_id',
      'in',
      rows.map(({ row }) => row.request_id),
    )
    // Without a link of its own, a row cannot be replaced.
    .where('chain_seq', '>', 0)
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
  return new Map(withdrawn.map(({ request_id, chain_seq }) => [request_id, chain_seq!]));
};
