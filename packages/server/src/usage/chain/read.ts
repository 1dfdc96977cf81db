// Reads chains from the database: sealed rows, links, and those of rows that were withdrawn.
import type { Database, UsageRecordsTable } from '../../storage/schema.ts';
import type { Link } from './walk.ts';

const PAGE_ROWS = 5_000;

export const linkOf = (row: UsageRecordsTable): Link => ({
  row,
  seq: row.chain_seq!,
  hash: row.chain_hash ?? '',
  replacesSeq: row.replaces_seq,
});

/** The rows that an account's first link seals, in the order in which it does. */
export async function* eachSealed(db: Database, accountId: string): AsyncGenerator<UsageRecordsTable, void, undefined> {
  for (let [atMs, id] = [-1, '']; ; ) {
    const page = await db
      .selectFrom('usage_records')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('chain_seq', '=', 0)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at_ms', 'request_id'), '>', tuple(atMs, id)))
      .orderBy('created_at_ms')
      .orderBy('request_id')
      .limit(PAGE_ROWS)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    [atMs, id] = [last.created_at_ms, last.request_id];
  }
}

export interface LinkRange {
  readonly accountId: string;
  readonly afterSeq: number;
  readonly beforeSeq: number;
}

const inRange = async (
  db: Database,
  table: 'usage_records' | 'usage_withdrawn',
  { accountId, afterSeq, beforeSeq }: LinkRange,
): Promise<Link[]> => {
  const rows = await db
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', accountId)
    .where('chain_seq', '>', Math.max(0, afterSeq))
    .where('chain_seq', '<', beforeSeq)
    .orderBy('chain_seq')
    .execute();
  return rows.map(linkOf);
};

export const withdrawnLinks = (db: Database, range: LinkRange): Promise<Link[]> =>
  inRange(db, 'usage_withdrawn', range);

/** An account's links in order, a page in memory at a time. Gaps are left as they are. */
export async function* eachLink(db: Database, range: LinkRange): AsyncGenerator<Link, void, undefined> {
  for (let at = range.afterSeq; at + 1 < range.beforeSeq; at += PAGE_ROWS) {
    const page = { ...range, afterSeq: at, beforeSeq: Math.min(range.beforeSeq, at + PAGE_ROWS + 1) };
    // In this order: a row that is withdrawn between the two is seen twice, and kept once.
    const links = new Map<number, Link>();
    for (const link of await inRange(db, 'usage_records', page)) links.set(link.seq, link);
    for (const link of await inRange(db, 'usage_withdrawn', page)) links.set(link.seq, link);
    yield* [...links.values()].sort((a, b) => a.seq - b.seq);
  }
}
