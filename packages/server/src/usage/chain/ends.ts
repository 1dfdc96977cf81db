// The ends of the accounts' chains. Appending locks them first, so that nodes append one after the other.
import { sql } from '#kysely';
import type { Engine } from '../../storage/engine.ts';
import type { UsageChainsTable, UsageRecordsTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { hashedValues } from '../../storage/usage-hash.ts';
import { firstHash, linkHash } from './link.ts';

const CACHED_MAX = 10_000;

export type ChainEnds = ReadonlyMap<string, UsageChainsTable>;

/** Locks the ends of these chains until the transaction ends. Creates missing ones. */
export const lockEnds = async (
  engine: Engine,
  trx: DatabaseTransaction,
  accountIds: readonly string[],
): Promise<ChainEnds> => {
  // A fixed order prevents deadlocks between nodes.
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

/** The end of a chain without rows. */
export const newEnd = (accountId: string): UsageChainsTable => {
  const hash = firstHash(accountId);
  return {
    account_id: accountId,
    seq: 0,
    hash,
    first_hash: hash,
    sealed_rows: 0,
    has_budgets: 0,
    archived_seq: 0,
    archived_hash: null,
  };
};

const readEnds = async (engine: Engine, trx: DatabaseTransaction, accountIds: readonly string[]) => {
  let select = trx.selectFrom('usage_chains').selectAll().where('account_id', 'in', accountIds).orderBy('account_id');
  if (engine === 'postgres') select = select.forUpdate();
  return new Map((await select.execute()).map((end) => [end.account_id, { ...end }]));
};

/** A cache of chain ends, which saves a query on SQLite, where one server writes. `saveEnds` detects stale entries. */
export class ChainEndCache {
  readonly #ends = new Map<string, UsageChainsTable>();

  /** Undefined if one of them is missing. */
  get(accountIds: readonly string[]): ChainEnds | undefined {
    const found = new Map<string, UsageChainsTable>();
    for (const id of accountIds) {
      const end = this.#ends.get(id);
      if (end === undefined) return undefined;
      found.set(id, end);
    }
    return found;
  }

  /** Call this only after the commit. */
  set(ends: readonly UsageChainsTable[]): void {
    for (const end of ends) {
      this.#ends.delete(end.account_id);
      this.#ends.set(end.account_id, end);
    }
    for (const id of this.#ends.keys()) {
      if (this.#ends.size <= CACHED_MAX) return;
      this.#ends.delete(id);
    }
  }

  clear(): void {
    this.#ends.clear();
  }
}

export interface NewLink {
  readonly row: UsageRow;
  readonly replacesSeq: number | null;
}

export interface LinkedRows {
  readonly rows: readonly UsageRecordsTable[];
  /** The ends of the chains before and after these rows. */
  readonly before: ChainEnds;
  readonly after: readonly UsageChainsTable[];
}

/** Computes the links of new rows. Writes nothing. */
export const linkRows = (before: ChainEnds, links: readonly NewLink[]): LinkedRows => {
  const moved = new Map<string, UsageChainsTable>();
  const rows = links.map(({ row, replacesSeq }) => {
    const accountId = row.account_id;
    const end = moved.get(accountId) ?? before.get(accountId)!;
    const seq = end.seq + 1;
    const hash = linkHash({ accountId, seq, previousHash: end.hash, replacesSeq }, hashedValues(row));
    moved.set(accountId, { ...end, seq, hash });
    return { ...row, chain_seq: seq, chain_hash: hash, replaces_seq: replacesSeq };
  });
  return { rows, before, after: [...moved.values()] };
};

/** False if `before` was stale: a chain has grown, or its account got its first budget. */
export const saveEnds = async (trx: DatabaseTransaction, { before, after }: LinkedRows): Promise<boolean> => {
  const moves = after.map((end) => {
    const { hash, has_budgets } = before.get(end.account_id)!;
    return sql`(${end.account_id}, ${end.seq}, ${end.hash}, ${hash}, ${has_budgets})`;
  });
  const { numAffectedRows } = await sql`update usage_chains set seq = cast(move.column2 as bigint), hash = move.column3
    from (values ${sql.join(moves)}) as move
    where usage_chains.account_id = move.column1 and usage_chains.hash = move.column4
      and usage_chains.has_budgets = cast(move.column5 as integer)`.execute(trx);
  return Number(numAffectedRows) === after.length;
};
