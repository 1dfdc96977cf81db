// Verifies the hash chains of all accounts in one pass over the ledger.
import { type SqlBool, sql } from '#kysely';
import type { Storage } from '../../storage/open.ts';
import type { UsageChainsTable } from '../../storage/schema/usage.ts';
import { PreChainDigest } from '../../storage/usage-hash.ts';
import { eachLink, eachLinkOfAll, eachSealed } from './read.ts';
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

class ChainCheck {
  readonly #storage: Storage;
  readonly #faults: ChainFault[] = [];
  /** Ends of the chains that have not been walked yet. */
  readonly #remaining = new Map<string, UsageChainsTable>();
  #links = 0;
  #sealedRows = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async run(): Promise<ChainReport> {
    for (const end of await this.#storage.report.selectFrom('usage_chains').selectAll().execute())
      this.#remaining.set(end.account_id, end);
    const accounts = this.#remaining.size;
    for (const end of this.#remaining.values())
      if (end.sealed_rows > 0 && end.archived_seq === 0) await this.#checkFirstLink(end);
    await this.#walkAll();
    // The remaining chains have no rows, which is valid only for chains with nothing but their first link.
    for (const end of this.#remaining.values()) await this.#endWalk(new ChainWalk(end.account_id, firstOf(end)), end);
    for (const fault of await unlinkedRows(this.#storage)) this.#add(fault);
    return { accounts, links: this.#links, sealedRows: this.#sealedRows, faults: this.#faults };
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

  async #walkAll(): Promise<void> {
    let accountId: string | undefined;
    let walk: ChainWalk | undefined;
    let end: UsageChainsTable | undefined;
    for await (const link of eachLinkOfAll(this.#storage)) {
      if (accountId !== link.accountId) {
        if (walk && end) await this.#endWalk(walk, end);
        accountId = link.accountId;
        end = this.#remaining.get(accountId);
        this.#remaining.delete(accountId);
        walk = end && new ChainWalk(accountId, firstOf(end));
      }
      // Skip links that were added after the ends were read.
      if (!walk || !end || link.seq > end.seq) continue;
      if (walk.missingBefore(link.seq)) await this.#walkWithdrawn(walk, accountId, link.seq);
      this.#add(walk.next(link));
      this.#links += 1;
    }
    if (walk && end) await this.#endWalk(walk, end);
  }

  async #endWalk(walk: ChainWalk, end: UsageChainsTable): Promise<void> {
    await this.#walkWithdrawn(walk, end.account_id, end.seq + 1);
    this.#add(walk.end(end));
  }

  /** Fills a gap with the links of withdrawn rows. */
  async #walkWithdrawn(walk: ChainWalk, accountId: string, beforeSeq: number): Promise<void> {
    for await (const link of eachLink(this.#storage, { accountId, afterSeq: walk.seq, beforeSeq })) {
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
