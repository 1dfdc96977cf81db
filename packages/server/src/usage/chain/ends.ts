// Where the chains of accounts end: locked before rows are added, moved on with them, so that nodes add one after the other.
import type { Engine } from '../../storage/engine.ts';
import type { DatabaseTransaction, UsageChainsTable, UsageRecordsTable, UsageRow } from '../../storage/schema.ts';
import { firstHash, linkHash } from './link.ts';

export type ChainEnds = ReadonlyMap<string, UsageChainsTable>;

/** The ends of these accounts' chains, which no other transaction moves until this one ends. */
export const lockEnds = async (
  engine: Engine,
  trx: DatabaseTransaction,
  accountIds: readonly string[],
): Promise<ChainEnds> => {
  // In a fixed order, so that two nodes never wait for each other in a circle.
  const sorted = [...new Set(accountIds)].sort();
  const ends = await readEnds(engine, trx, sorted);
  const missing = sorted.filter((id) => !ends.has(id));
  if (missing.length === 0) return ends;
  await trx
    .insertInto('usage_chains')
    .values(missing.map(newEnd))
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
  return readEnds(engine, trx, sorted);
};

const newEnd = (accountId: string): UsageChainsTable => {
  const hash = firstHash(accountId);
  return { account_id: accountId, seq: 0, hash, first_hash: hash, sealed_rows: 0 };
};

const readEnds = async (engine: Engine, trx: DatabaseTransaction, accountIds: readonly string[]) => {
  let select = trx.selectFrom('usage_chains').selectAll().where('account_id', 'in', accountIds).orderBy('account_id');
  // SQLite's write transactions are one at a time already.
  if (engine === 'postgres') select = select.forUpdate();
  return new Map((await select.execute()).map((end) => [end.account_id, { ...end }]));
};

export interface NewLink {
  readonly row: UsageRow;
  readonly replacesSeq: number | null;
}

/** Adds rows to the chains in memory: the rows with their links, and the ends after them. */
export const chained = (
  ends: ChainEnds,
  links: readonly NewLink[],
): { readonly rows: UsageRecordsTable[]; readonly ends: UsageChainsTable[] } => {
  const moved = new Map<string, UsageChainsTable>();
  const rows = links.map(({ row, replacesSeq }) => {
    const accountId = row.account_id;
    const end = moved.get(accountId) ?? { ...ends.get(accountId)! };
    const seq = end.seq + 1;
    const hash = linkHash({ accountId, seq, previousHash: end.hash, replacesSeq }, row);
    moved.set(accountId, { ...end, seq, hash });
    return { ...row, chain_seq: seq, chain_hash: hash, replaces_seq: replacesSeq };
  });
  return { rows, ends: [...moved.values()] };
};

export const saveEnds = async (trx: DatabaseTransaction, ends: readonly UsageChainsTable[]): Promise<void> => {
  if (ends.length === 0) return;
  await trx
    .insertInto('usage_chains')
    .values(ends)
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet(({ ref }) => ({ seq: ref('excluded.seq'), hash: ref('excluded.hash') })),
    )
    .execute();
};
