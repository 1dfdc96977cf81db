// Where the chains of accounts end: locked before rows are added, moved on with them, so that nodes add one after the other.
import { sql } from 'kysely';
import type { Engine } from '../../storage/engine.ts';
import type { UsageChainsTable, UsageRecordsTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { hashedValues } from '../../storage/usage-hash.ts';
import { firstHash, linkHash } from './link.ts';

const KNOWN_MAX = 10_000;

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
  return { account_id: accountId, seq: 0, hash, first_hash: hash, sealed_rows: 0, has_budgets: 0 };
};

const readEnds = async (engine: Engine, trx: DatabaseTransaction, accountIds: readonly string[]) => {
  let select = trx.selectFrom('usage_chains').selectAll().where('account_id', 'in', accountIds).orderBy('account_id');
  // SQLite's write transactions are one at a time already.
  if (engine === 'postgres') select = select.forUpdate();
  return new Map((await select.execute()).map((end) => [end.account_id, { ...end }]));
};

/**
 * The ends as this process left them. They spare SQLite, whose one server has moved them all, the question; where they
 * are wrong, `saveEnds` notices.
 */
export class KnownEnds {
  readonly #ends = new Map<string, UsageChainsTable>();

  /** Undefined when one of them is not known. */
  of(accountIds: readonly string[]): ChainEnds | undefined {
    const found = new Map<string, UsageChainsTable>();
    for (const id of accountIds) {
      const end = this.#ends.get(id);
      if (end === undefined) return undefined;
      found.set(id, end);
    }
    return found;
  }

  /** Only after the commit that moved them. */
  note(ends: readonly UsageChainsTable[]): void {
    for (const end of ends) {
      this.#ends.delete(end.account_id);
      this.#ends.set(end.account_id, end);
    }
    for (const id of this.#ends.keys()) {
      if (this.#ends.size <= KNOWN_MAX) return;
      this.#ends.delete(id);
    }
  }

  forget(): void {
    this.#ends.clear();
  }
}

export interface NewLink {
  readonly row: UsageRow;
  readonly replacesSeq: number | null;
}

/** Rows with their links, and the ends of their chains before and after them. */
export interface Chained {
  readonly rows: readonly UsageRecordsTable[];
  readonly before: ChainEnds;
  readonly after: readonly UsageChainsTable[];
}

/** Adds rows to the chains, in memory. */
export const chained = (before: ChainEnds, links: readonly NewLink[]): Chained => {
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

/** False when a chain did not end where it was thought to, or was given its first budget since. */
export const saveEnds = async (trx: DatabaseTransaction, { before, after }: Chained): Promise<boolean> => {
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
