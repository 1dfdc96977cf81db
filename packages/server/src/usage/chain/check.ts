// Verifies the hash chains of all accounts in one pass over the ledger, month by month.
import { type SqlBool, sql } from '#kysely';
import type { Storage } from '../../storage/open.ts';
import type { UsageChainsTable } from '../../storage/schema/usage.ts';
import { PreChainDigest } from '../../storage/usage-hash.ts';
import { type AccountLink, eachLink, eachLinkOfAll, eachSealed } from './read.ts';
import { type ChainFault, ChainWalk } from './walk.ts';

export interface ChainReport {
  readonly accounts: number;
  readonly links: number;
  readonly sealedRows: number;
  /** At most FAULTS_MAX. */
  readonly faults: readonly ChainFault[];
}

const FAULTS_MAX = 20;

/** Safe while servers write; rows added meanwhile are not checked. */
export const checkChains = async (storage: Storage): Promise<ChainReport> => new ChainCheck(storage).run();

/** A chain that is being checked. */
interface CheckedChain {
  readonly end: UsageChainsTable;
  readonly walk: ChainWalk;
  /** Rows of later months that were read to fill a gap, and are skipped when they come again. */
  readonly ahead: Set<number>;
}

class ChainCheck {
  readonly #storage: Storage;
  readonly #faults: ChainFault[] = [];
  readonly #chains = new Map<string, CheckedChain>();
  #links = 0;
  #sealedRows = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async run(): Promise<ChainReport> {
    for (const end of await this.#storage.report.selectFrom('usage_chains').selectAll().execute()) {
      const walk = new ChainWalk(end.account_id, firstOf(end));
      this.#chains.set(end.account_id, { end, walk, ahead: new Set() });
    }
    for (const { end } of this.#chains.values())
      if (end.sealed_rows > 0 && end.archived_seq === 0) await this.#checkFirstLink(end);
    for await (const link of eachLinkOfAll(this.#storage)) await this.#check(link);
    for (const chain of this.#chains.values()) {
      await this.#fillGap(chain, chain.end.seq + 1);
      this.#add(chain.walk.end(chain.end));
    }
    for (const fault of await unlinkedRows(this.#storage)) this.#add(fault);
    return { accounts: this.#chains.size, links: this.#links, sealedRows: this.#sealedRows, faults: this.#faults };
  }

  #add(fault: ChainFault | null): void {
    if (fault !== null && this.#faults.length < FAULTS_MAX) this.#faults.push(fault);
  }

  async #checkFirstLink(end: UsageChainsTable): Promise<void> {
    const digest = new PreChainDigest(end.account_id);
    for await (const values of eachSealed(this.#storage, end.account_id)) digest.add(values);
    this.#sealedRows += digest.rows;
    const at = { accountId: end.account_id, seq: 0, requestId: null };
    if (digest.rows !== end.sealed_rows)
      this.#add({ ...at, message: `the first link covers ${end.sealed_rows} rows, but ${digest.rows} exist` });
    else if (digest.hash() !== end.first_hash)
      this.#add({ ...at, message: 'a row covered by the first link was altered' });
  }

  async #check(link: AccountLink): Promise<void> {
    const chain = this.#chains.get(link.accountId);
    // Skip links that were added after the ends were read, and archived ones whose removal was interrupted.
    if (!chain || link.seq > chain.end.seq || link.seq <= chain.end.archived_seq) return;
    if (chain.ahead.delete(link.seq)) return;
    if (chain.walk.missingBefore(link.seq)) await this.#fillGap(chain, link.seq);
    this.#add(chain.walk.next(link));
    this.#links += 1;
  }

  /** Reads links of withdrawn rows, and of rows in later months: a row belongs to the month its request began in. */
  async #fillGap({ end, walk, ahead }: CheckedChain, beforeSeq: number): Promise<void> {
    for await (const link of eachLink(this.#storage, { accountId: end.account_id, afterSeq: walk.seq, beforeSeq })) {
      if (!link.isWithdrawn) ahead.add(link.seq);
      this.#add(walk.next(link));
      this.#links += 1;
    }
  }
}

/** The link before the first row of the database. */
const firstOf = ({ archived_seq, archived_hash, first_hash }: UsageChainsTable) => ({
  seq: archived_seq,
  hash: archived_hash ?? first_hash,
});

/** Rows without a link, beyond the end of their chain, or marked as covered by a first link that covers no rows. */
const unlinkedRows = async ({ report }: Storage): Promise<ChainFault[]> => {
  const rows = await report
    .selectFrom('usage_records as record')
    .leftJoin('usage_chains as chain', 'chain.account_id', 'record.account_id')
    .select(['record.account_id', 'record.request_id'])
    .where(
      sql<SqlBool>`chain.account_id is null or record.chain_seq is null or record.chain_seq < 0
        or record.chain_seq > chain.seq or (record.chain_seq = 0 and chain.sealed_rows = 0)`,
    )
    .limit(FAULTS_MAX)
    .execute();
  return rows.map(({ account_id, request_id }) => ({
    accountId: account_id,
    seq: null,
    requestId: request_id,
    message: 'the row is not in a chain',
  }));
};
