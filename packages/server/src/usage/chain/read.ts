// Reads chains in pages. The database returns each page as one JSON text, which is five times faster than rows.
import { type RawBuilder, type SqlBool, sql } from '#kysely';
import type { Engine } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { HASHED_COLUMNS, type HashedValues } from '../../storage/usage-hash.ts';
import { listPartitions } from '../archive/partitions.ts';
import { firstHash } from './link.ts';
import type { ChainPoint, Link } from './walk.ts';

const PAGE_ROWS = 5_000;
type Value = string | number | null;

const columns = sql.join([...HASHED_COLUMNS].map((column) => sql.ref(column)));
const allOf: Record<Engine, (values: RawBuilder<unknown>) => RawBuilder<string>> = {
  sqlite: (values) => sql`json_group_array(json_array(${values}))`,
  postgres: (values) => sql`cast(json_agg(json_build_array(${values})) as text)`,
};

interface Page {
  /** Columns to read before the hashed ones. */
  readonly extraColumns: readonly string[];
  readonly table: 'usage_records' | 'usage_withdrawn';
  readonly where: RawBuilder<SqlBool>;
  readonly orderBy: readonly string[];
}

const readPage = async ({ engine, report }: Storage, page: Page): Promise<Value[][]> => {
  const values = sql`${sql.join(page.extraColumns.map((column) => sql.ref(column)))}, ${columns}`;
  const order = sql.join(page.orderBy.map((column) => sql.ref(column)));
  const { rows } = await sql<{ all: string | null }>`select ${allOf[engine](values)} as "all" from
    (select * from ${sql.table(page.table)} where ${page.where} order by ${order} limit ${sql.lit(PAGE_ROWS)}) as page`.execute(
    report,
  );
  return JSON.parse(rows[0]?.all ?? '[]') as Value[][];
};

const LINK_COLUMNS = ['account_id', 'chain_seq', 'chain_hash', 'replaces_seq'] as const;

export interface AccountLink extends Link {
  readonly accountId: string;
}

const linkOf = ([accountId, seq, hash, replacesSeq, ...values]: Value[]): AccountLink => ({
  accountId: String(accountId),
  seq: Number(seq),
  hash: String(hash),
  replacesSeq: replacesSeq as number | null,
  values,
});

interface IdRange {
  readonly from: string;
  /** Null: no end. */
  readonly to: string | null;
}

/** One range per month: rows of a month are adjacent on disk, unlike those of an account, so each is read once. */
const idRanges = async ({ engine, report }: Storage): Promise<IdRange[]> => {
  const ends = engine === 'sqlite' ? [] : (await listPartitions(report)).map(({ endId }) => endId);
  const bounds = ends.filter((endId) => endId !== null);
  return [...bounds, null].map((to, nth) => ({ from: bounds[nth - 1] ?? '', to }));
};

/** The links of all rows, month by month, and within a month account by account. */
export async function* eachLinkOfAll(storage: Storage): AsyncGenerator<AccountLink, void, undefined> {
  for (const range of await idRanges(storage)) yield* eachLinkOfRange(storage, range);
}

async function* eachLinkOfRange(storage: Storage, { from, to }: IdRange): AsyncGenerator<AccountLink, void, undefined> {
  const isInRange = sql<SqlBool>`request_id >= ${from} and ${to === null ? sql`true` : sql`request_id < ${to}`}`;
  const pageAfter = (accountId: string, seq: number): Promise<Value[][]> => {
    const page = readPage(storage, {
      extraColumns: LINK_COLUMNS,
      table: 'usage_records',
      where: sql`chain_seq > 0 and (account_id, chain_seq) > (${accountId}, ${seq}) and ${isInRange}`,
      orderBy: ['account_id', 'chain_seq'],
    });
    // Prevents an unhandled rejection if the caller stops early; otherwise, the await below throws.
    page.catch(() => undefined);
    return page;
  };
  // The database reads the next page while the caller checks this one.
  for (let reading: Promise<Value[][]> | undefined = pageAfter('', 0); reading; ) {
    const page: Value[][] = await reading;
    const last = page.at(-1);
    reading = last && pageAfter(String(last[0]), Number(last[1]));
    for (const row of page) yield linkOf(row);
  }
}

/** The rows covered by an account's first link, in hashing order. */
export async function* eachSealed(storage: Storage, accountId: string): AsyncGenerator<HashedValues, void, undefined> {
  for (let [atMs, id] = [-1, '']; ; ) {
    const page = await readPage(storage, {
      extraColumns: ['created_at_ms'],
      table: 'usage_records',
      where: sql`account_id = ${accountId} and chain_seq = 0 and (created_at_ms, request_id) > (${atMs}, ${id})`,
      orderBy: ['created_at_ms', 'request_id'],
    });
    for (const [, ...values] of page) yield values;
    const last = page.at(-1);
    if (last === undefined) return;
    [atMs, id] = [Number(last[0]), String(last[1])];
  }
}

export interface ChainEnd extends ChainPoint {
  /** Rows covered by the first link that are still in the database. */
  readonly sealedRows: number;
  readonly archivedSeq: number;
}

/** The end of an account's chain; its first link if it has no rows. */
export const chainEnd = async (db: Database, accountId: string): Promise<ChainEnd> => {
  const row = await db.selectFrom('usage_chains').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  if (!row) return { seq: 0, hash: firstHash(accountId), sealedRows: 0, archivedSeq: 0 };
  const { seq, hash, archived_seq: archivedSeq } = row;
  return { seq, hash, sealedRows: archivedSeq > 0 ? 0 : row.sealed_rows, archivedSeq };
};

/** A link by its position; null if there is none. */
export const chainPoint = async (
  db: Database | DatabaseTransaction,
  accountId: string,
  seq: number,
): Promise<ChainPoint | null> => {
  for (const table of seq === 0 ? [] : (['usage_records', 'usage_withdrawn'] as const)) {
    const row = await db
      .selectFrom(table)
      .select('chain_hash')
      .where('account_id', '=', accountId)
      .where('chain_seq', '=', seq)
      .where(sql<SqlBool>`chain_seq > 0`)
      .executeTakeFirst();
    if (row?.chain_hash) return { seq, hash: row.chain_hash };
  }
  const end = await db
    .selectFrom('usage_chains')
    .select(['first_hash', 'archived_seq', 'archived_hash'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (seq === 0) return { seq, hash: end?.first_hash ?? firstHash(accountId) };
  return end?.archived_hash && seq === end.archived_seq ? { seq, hash: end.archived_hash } : null;
};

export interface LinkRange {
  readonly accountId: string;
  readonly afterSeq: number;
  readonly beforeSeq: number;
}

const inRange = async (storage: Storage, table: Page['table'], range: LinkRange): Promise<AccountLink[]> => {
  const where = sql<SqlBool>`account_id = ${range.accountId} and chain_seq > 0
    and chain_seq > ${range.afterSeq} and chain_seq < ${range.beforeSeq}`;
  const page = await readPage(storage, { extraColumns: LINK_COLUMNS, table, where, orderBy: ['chain_seq'] });
  return page.map(linkOf);
};

export interface ReadLink extends Link {
  readonly isWithdrawn: boolean;
}

/** An account's links in order, including those of withdrawn rows. Holds one page in memory. */
export async function* eachLink(storage: Storage, range: LinkRange): AsyncGenerator<ReadLink, void, undefined> {
  for (let afterSeq = range.afterSeq; afterSeq + 1 < range.beforeSeq; afterSeq += PAGE_ROWS) {
    const page = { ...range, afterSeq, beforeSeq: Math.min(range.beforeSeq, afterSeq + PAGE_ROWS + 1) };
    const links = new Map<number, ReadLink>();
    // In this order, a row that is withdrawn between the two queries is read twice instead of never.
    for (const link of await inRange(storage, 'usage_records', page))
      links.set(link.seq, { ...link, isWithdrawn: false });
    for (const link of await inRange(storage, 'usage_withdrawn', page))
      links.set(link.seq, { ...link, isWithdrawn: true });
    yield* [...links.values()].sort((a, b) => a.seq - b.seq);
  }
}
