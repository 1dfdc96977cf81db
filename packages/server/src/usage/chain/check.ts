// Checks every chain of the ledger against its rows: one pass over the links of all accounts, whatever their number.
import { type SqlBool, sql } from 'kysely';
import type { Storage } from '../../storage/open.ts';
import type { UsageChainsTable } from '../../storage/schema/usage.ts';
import { PreChainDigest } from '../../storage/usage-hash.ts';
import { eachLink, eachLinkOfAll, eachSealed } from './read.ts';
import { type ChainFault, ChainWalk } from './walk.ts';

export interface ChainReport {
  readonly accounts: number;
  readonly links: number;
  readonly sealedRows: number;
  /** The first faults that were found. */
  readonly faults: readonly ChainFault[];
}

const FAULTS_MAX = 20;

/** May run while servers write: what they add meanwhile is left to the next check. */
export const checkChains = async (storage: Storage): Promise<ChainReport> => new ChainCheck(storage).run();

class ChainCheck {
  readonly #storage: Storage;
  readonly #faults: ChainFault[] = [];
  /** Chains whose end has not been reached yet. */
  readonly #open = new Map<string, UsageChainsTable>();
  #links = 0;
  #sealedRows = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async run(): Promise<ChainReport> {
    for (const end of await this.#storage.report.selectFrom('usage_chains').selectAll().execute())
      this.#open.set(end.account_id, end);
    const accounts = this.#open.size;
    for (const end of this.#open.values()) if (end.sealed_rows > 0) await this.#checkSeal(end);
    await this.#walkAll();
    // What is left has no row at all: right for a chain that has its first link only.
    for (const end of this.#open.values()) await this.#endWalk(new ChainWalk(end.account_id, firstOf(end)), end);
    for (const fault of await strayRows(this.#storage)) this.#note(fault);
    return { accounts, links: this.#links, sealedRows: this.#sealedRows, faults: this.#faults };
  }

  #note(fault: ChainFault | null): void {
    if (fault !== null && this.#faults.length < FAULTS_MAX) this.#faults.push(fault);
  }

  async #checkSeal(end: UsageChainsTable): Promise<void> {
    const seal = new PreChainDigest(end.account_id);
    for await (const values of eachSealed(this.#storage, end.account_id)) seal.add(values);
    this.#sealedRows += seal.rows;
    const at = { accountId: end.account_id, seq: 0, requestId: null };
    if (seal.rows !== end.sealed_rows)
      this.#note({ ...at, says: `the first link seals ${end.sealed_rows} rows, and ${seal.rows} are there` });
    else if (seal.hash() !== end.first_hash)
      this.#note({ ...at, says: 'a row that is sealed by the first link was altered' });
  }

  async #walkAll(): Promise<void> {
    let accountId: string | undefined;
    let walk: ChainWalk | undefined;
    let end: UsageChainsTable | undefined;
    for await (const link of eachLinkOfAll(this.#storage)) {
      if (accountId !== link.accountId) {
        if (walk && end) await this.#endWalk(walk, end);
        accountId = link.accountId;
        end = this.#open.get(accountId);
        this.#open.delete(accountId);
        walk = end && new ChainWalk(accountId, firstOf(end));
      }
      // A chain that began, or went on, after the ends were read.
      if (!walk || !end || link.seq > end.seq) continue;
      if (walk.missingBefore(link.seq)) await this.#bridge(walk, accountId, link.seq);
      this.#note(walk.next(link));
      this.#links += 1;
    }
    if (walk && end) await this.#endWalk(walk, end);
  }

  async #endWalk(walk: ChainWalk, end: UsageChainsTable): Promise<void> {
    await this.#bridge(walk, end.account_id, end.seq + 1);
    this.#note(walk.end(end));
  }

  /** Rows that are not in the ledger may have been withdrawn; their links are kept. */
  async #bridge(walk: ChainWalk, accountId: string, beforeSeq: number): Promise<void> {
    for await (const link of eachLink(this.#storage, { accountId, afterSeq: walk.seq, beforeSeq })) {
      this.#note(walk.next(link));
      this.#links += 1;
    }
  }
}

const firstOf = (end: UsageChainsTable) => ({ seq: 0, hash: end.first_hash });

/** Rows that no walk comes by: without a link, beyond the end of their chain, or said to be sealed where nothing is. */
const strayRows = async ({ report }: Storage): Promise<ChainFault[]> => {
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
    says: 'the row is in no chain',
  }));
};
