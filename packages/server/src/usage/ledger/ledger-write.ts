// Writes rows of the ledger within a transaction: each request once, linked into its account's chain, added to the sums
// and counted against budgets.

import { raiseAccessVersion } from '../../storage/access-version.ts';
import type { Engine } from '../../storage/engine.ts';
import type { UsageChainsTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import type { BudgetEvent, Stop } from '../budgets/budget.ts';
import { Spending } from '../budgets/spending.ts';
import { type ChainEnds, chained, lockEnds, saveEnds } from '../chain/ends.ts';
import { addToDaily, dailyShare } from './daily-sums.ts';
import { insertRows } from './insert-rows.ts';

/** Rows were there already, or a chain had moved on. Nothing is written then; `insertMissing` looks first. */
export class NotAsThought extends Error {
  override readonly name = 'NotAsThought';
}

export interface NewRow {
  readonly row: UsageRow;
  /** Nothing of it has left yet: it becomes a refusal when a budget was used up before it. */
  readonly isRefusable: boolean;
  /** The link that this one stands in for. */
  readonly replacesSeq?: number | null;
}

export interface Written {
  /** Where the chains end now. */
  readonly ends: readonly UsageChainsTable[];
  /** By request: the budgets for want of which it was refused. */
  readonly stops: ReadonlyMap<string, Stop>;
  readonly events: readonly BudgetEvent[];
}

interface Place {
  readonly engine: Engine;
  readonly trx: DatabaseTransaction;
  readonly ends: ChainEnds;
}

const accountsOf = (rows: readonly NewRow[]): string[] => rows.map(({ row }) => row.account_id);

/** A request that stands twice in a batch is one row. In a fixed order, in which nodes cannot wait in a circle. */
const distinct = (rows: readonly NewRow[]): NewRow[] => {
  const first = new Map<string, NewRow>();
  for (const each of rows) if (!first.has(each.row.request_id)) first.set(each.row.request_id, each);
  return [...first.values()].sort((a, b) => (a.row.request_id < b.row.request_id ? -1 : 1));
};

/** Takes it that the rows are new, and that chains end where they are known to: no look at the database is needed then. */
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

/** Writes those of the rows that are not there yet. */
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
  // One that was refused for want of budget stays refused, however often it is recorded.
  const refused = wanted.filter(
    ({ row }) => present.get(row.request_id) === 'BUDGET_EXCEEDED' && row.status === 'success',
  );
  const stops = new Map(refused.map(({ row }) => [row.request_id, stopOfRefused(row, spending)]));
  const written = await write({ engine, trx, ends }, missing, spending);
  return { ...written, stops: new Map([...written.stops, ...stops]) };
};

/**
 * Settles rows whose caller was refused: a success that is on record is withdrawn. Its link stays, and the row in its
 * place names it.
 */
export const settle = async (engine: Engine, trx: DatabaseTransaction, rows: readonly UsageRow[]): Promise<Written> => {
  const wanted = distinct(rows.map((row) => ({ row, isRefusable: false })));
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const spending = await spendingOf(trx, ends, wanted);
  const withdrawn = await withdrawSuccesses(trx, wanted, spending);
  const present = await presentStatuses(trx, wanted);
  const missing = wanted
    .filter(({ row }) => !present.has(row.request_id))
    .map(({ row }) => ({
      ...{ row: asRefused(row, 'SERVICE_UNAVAILABLE'), isRefusable: false },
      replacesSeq: withdrawn.get(row.request_id) ?? null,
    }));
  return write({ engine, trx, ends }, missing, spending);
};

const asRefused = (row: UsageRow, status: 'SERVICE_UNAVAILABLE' | 'BUDGET_EXCEEDED'): UsageRow =>
  row.status === 'success' ? { ...row, status, billed_ms: 0, output_token_count: 0 } : row;

/** Accounts without budgets cost nothing here. */
const spendingOf = (trx: DatabaseTransaction, ends: ChainEnds, rows: readonly NewRow[]): Promise<Spending> => {
  const withBudgets = [...ends.values()].filter((end) => end.has_budgets === 1).map((end) => end.account_id);
  return Spending.load(
    trx,
    withBudgets,
    rows.map(({ row }) => row),
  );
};

/** Where the budget was raised since, the caller may come back at once. */
const stopOfRefused = (row: UsageRow, spending: Spending): Stop =>
  spending.against(row) ?? { keyId: null, span: 'day', opensAtMs: row.created_at_ms };

const write = async (place: Place, rows: readonly NewRow[], spending: Spending): Promise<Written> => {
  const { engine, trx, ends } = place;
  const stops = new Map<string, Stop>();
  const links = rows.map(({ row, isRefusable, replacesSeq = null }) => {
    const stop = isRefusable && row.billed_ms > 0 ? spending.against(row) : null;
    if (stop !== null) stops.set(row.request_id, stop);
    const counted = stop === null ? row : asRefused(row, 'BUDGET_EXCEEDED');
    spending.add(counted);
    return { row: counted, replacesSeq };
  });
  const made = chained(ends, links);
  if (made.rows.length > 0) {
    if ((await insertRows(engine, trx, made.rows)) !== made.rows.length) throw new NotAsThought();
    await addToDaily(
      trx,
      made.rows.map((row) => dailyShare(row)),
    );
    if (!(await saveEnds(trx, made))) throw new NotAsThought();
  }
  const events = await spending.save(trx, Date.now());
  // Every node hears of it with the next look at the access version, and refuses before any work is done.
  if (events.some(({ kind, stops: isStop }) => kind === 'used up' && isStop)) await raiseAccessVersion(trx);
  return { ends: made.after, stops, events };
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

/** The links of what was withdrawn, by request. */
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
  await addToDaily(
    trx,
    withdrawn.map((row) => dailyShare(row, -1)),
  );
  for (const row of withdrawn) spending.add(row, -1);
  return new Map(withdrawn.map(({ request_id, chain_seq }) => [request_id, chain_seq]));
};
