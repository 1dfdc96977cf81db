// Writes rows of the ledger within a transaction: each request once, linked into its account's chain, added to the sums.
import type { Engine } from '../storage/engine.ts';
import type { DatabaseTransaction, UsageRow } from '../storage/schema.ts';
import { chained, lockEnds, type NewLink, saveEnds } from './chain/ends.ts';
import { addToDaily, dailyShare } from './daily.ts';

/** Some of the rows were there already. Nothing is written then; `insertMissing` looks first. */
export class RowsExist extends Error {
  override readonly name = 'RowsExist';
}

const accountsOf = (rows: readonly UsageRow[]): string[] => rows.map(({ account_id }) => account_id);

/** A request that stands twice in a batch is one row. In a fixed order, in which nodes cannot wait in a circle. */
const distinct = (rows: readonly UsageRow[]): UsageRow[] => {
  const first = new Map<string, UsageRow>();
  for (const row of rows) if (!first.has(row.request_id)) first.set(row.request_id, row);
  return [...first.values()].sort((a, b) => (a.request_id < b.request_id ? -1 : 1));
};

/** Takes it that the rows are new, which saves looking for them. Throws RowsExist when that is wrong. */
export const insertNew = async (engine: Engine, trx: DatabaseTransaction, rows: readonly UsageRow[]): Promise<void> => {
  const fresh = distinct(rows);
  const ends = await lockEnds(engine, trx, accountsOf(fresh));
  const made = chained(ends, fresh.map(asNewLink));
  await write(trx, made);
};

/** Writes those of the rows that are not there yet. */
export const insertMissing = async (
  engine: Engine,
  trx: DatabaseTransaction,
  rows: readonly UsageRow[],
): Promise<void> => {
  const wanted = distinct(rows);
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const present = await presentIds(trx, wanted);
  const missing = wanted.filter(({ request_id }) => !present.has(request_id));
  await write(trx, chained(ends, missing.map(asNewLink)));
};

/**
 * Settles rows whose caller was refused: a success that is on record is withdrawn. Its link stays, and the row in its
 * place names it.
 */
export const settle = async (engine: Engine, trx: DatabaseTransaction, rows: readonly UsageRow[]): Promise<void> => {
  const wanted = distinct(rows);
  const ends = await lockEnds(engine, trx, accountsOf(wanted));
  const withdrawn = await withdrawSuccesses(trx, wanted);
  const present = await presentIds(trx, wanted);
  const missing = wanted.filter(({ request_id }) => !present.has(request_id));
  const links = missing.map((row) => ({ row: asRefused(row), replacesSeq: withdrawn.get(row.request_id) ?? null }));
  await write(trx, chained(ends, links));
};

const asNewLink = (row: UsageRow): NewLink => ({ row, replacesSeq: null });

const asRefused = (row: UsageRow): UsageRow =>
  row.status === 'success' ? { ...row, status: 'SERVICE_UNAVAILABLE', billed_ms: 0, output_token_count: 0 } : row;

const write = async (trx: DatabaseTransaction, { rows, ends }: ReturnType<typeof chained>): Promise<void> => {
  if (rows.length === 0) return;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('usage_records')
    .values(rows)
    .onConflict((conflict) => conflict.column('request_id').doNothing())
    .executeTakeFirstOrThrow();
  if (Number(numInsertedOrUpdatedRows) !== rows.length) throw new RowsExist();
  await addToDaily(
    trx,
    rows.map((row) => dailyShare(row)),
  );
  await saveEnds(trx, ends);
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
