// Writes rows of the ledger within a transaction: each request once, linked into its account's chain, added to the sums.
import type { Engine } from '../storage/engine.ts';
import type { DatabaseTransaction, UsageRow } from '../storage/schema.ts';
import { type ChainEnds, type Chained, chained, lockEnds, type NewLink, saveEnds } from './chain/ends.ts';
import { addToDaily, dailyShare } from './daily.ts';
import { insertRows } from './insert-rows.ts';

/** Rows were there already, or a chain had moved on. Nothing is written then; `insertMissing` looks first. */
export class NotAsThought extends Error {
  override readonly name = 'NotAsThought';
}

const accountsOf = (rows: readonly UsageRow[]): string[] => rows.map(({ account_id }) => account_id);

/** A request that stands twice in a batch is one row. In a fixed order, in which nodes cannot wait in a circle. */
const distinct = (rows: readonly UsageRow[]): UsageRow[] => {
  const first = new Map<string, UsageRow>();
  for (const row of rows) if (!first.has(row.request_id)) first.set(row.request_id, row);
  return [...first.values()].sort((a, b) => (a.request_id < b.request_id ? -1 : 1));
};

/** Takes it that the rows are new, and that chains end where they are known to: no look at the database is needed then. */
export const insertNew = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly UsageRow[],
  knownEnds: (accountIds: readonly string[]) => ChainEnds | undefined,
): Promise<Chained> => {
  const fresh = distinct(rows);
  const accountIds = accountsOf(fresh);
  const ends = knownEnds(accountIds) ?? (await lockEnds(engine, trx, accountIds));
  return write(engine, trx, chained(ends, fresh.map(asNewLink)));
};

/** Writes those of the rows that are not there yet. */
export const insertMissing = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly UsageRow[],
): Promise<Chained> => {
  const wanted = distinct(rows);
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const present = await presentIds(trx, wanted);
  const missing = wanted.filter(({ request_id }) => !present.has(request_id));
  return write(engine, trx, chained(ends, missing.map(asNewLink)));
};

/**
 * Settles rows whose caller was refused: a success that is on record is withdrawn. Its link stays, and the row in its
 * place names it.
 */
export const settle = async (engine: Engine, trx: DatabaseTransaction, rows: readonly UsageRow[]): Promise<Chained> => {
  const wanted = distinct(rows);
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const withdrawn = await withdrawSuccesses(trx, wanted);
  const present = await presentIds(trx, wanted);
  const missing = wanted.filter(({ request_id }) => !present.has(request_id));
  const links = missing.map((row) => ({ row: asRefused(row), replacesSeq: withdrawn.get(row.request_id) ?? null }));
  return write(engine, trx, chained(ends, links));
};

const asNewLink = (row: UsageRow): NewLink => ({ row, replacesSeq: null });

const asRefused = (row: UsageRow): UsageRow =>
  row.status === 'success' ? { ...row, status: 'SERVICE_UNAVAILABLE', billed_ms: 0, output_token_count: 0 } : row;

const write = async (engine: Engine, trx: DatabaseTransaction, made: Chained): Promise<Chained> => {
  if (made.rows.length === 0) return made;
  if ((await insertRows(engine, trx, made.rows)) !== made.rows.length) throw new NotAsThought();
  await addToDaily(
    trx,
    made.rows.map((row) => dailyShare(row)),
  );
  if (!(await saveEnds(trx, made))) throw new NotAsThought();
  return made;
};

const presentIds = async (trx: DatabaseTransaction, rows: readonly UsageRow[]): Promise<Set<string>> => {
  const found = await trx
    .selectFrom('usage_records')
    .select('request_id')
    .where(
      'request_id',
      'in',
      rows.map(({ request_id }) => request_id),
    )
    .execute();
  return new Set(found.map(({ request_id }) => request_id));
};

/** The links of what was withdrawn, by request. */
const withdrawSuccesses = async (
  trx: DatabaseTransaction,
  rows: readonly UsageRow[],
): Promise<Map<string, number | null>> => {
  const ids = rows.map(({ request_id }) => request_id);
  const withdrawn = await trx
    .deleteFrom('usage_records')
    .where('request_id', 'in', ids)
    .where('status', '=', 'success')
    .returningAll()
    .execute();
  if (withdrawn.length === 0) return new Map();
  await trx.insertInto('usage_withdrawn').values(withdrawn).execute();
  await addToDaily(
    trx,
    withdrawn.map((row) => dailyShare(row, -1)),
  );
  return new Map(withdrawn.map(({ request_id, chain_seq }) => [request_id, chain_seq]));
};
