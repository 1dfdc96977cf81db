// Links rows that nodes of an older release still write while nodes are replaced one by one.
import { type SqlBool, sql } from 'kysely';
import type { Storage } from '../../storage/open.ts';
import { chained, lockEnds, saveEnds } from './ends.ts';

const LOOK_EVERY_MS = 60_000;
const BATCH_ROWS = 500;

export class UnchainedRows {
  readonly #storage: Storage;
  readonly #onFailure: (cause: unknown) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #linking: Promise<void> = Promise.resolve();

  /** SQLite has one server, and so no row of another release. */
  constructor(storage: Storage, onFailure: (cause: unknown) => void) {
    this.#storage = storage;
    this.#onFailure = onFailure;
    if (storage.engine === 'sqlite') return;
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#linking;
  }

  #look(): void {
    this.#linking = this.#linking.then(() => linkUnchained(this.#storage)).then(() => {}, this.#onFailure);
  }
}

/** Links every row that is in no chain; returns how many there were. */
export const linkUnchained = async (storage: Storage): Promise<number> => {
  for (let linked = 0; ; ) {
    const next = await storage.write
      .selectFrom('usage_records')
      .select('account_id')
      .where('chain_seq', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (!next) return linked;
    linked += await linkSome(storage, next.account_id);
  }
};

const linkSome = ({ engine, write }: Storage, accountId: string): Promise<number> =>
  write.transaction().execute(async (trx) => {
    const ends = await lockEnds(engine, trx, [accountId]);
    const rows = await trx
      .selectFrom('usage_records')
      .selectAll()
      .where('account_id', '=', accountId)
      .where(sql<SqlBool>`chain_seq is null`)
      .orderBy('created_at_ms')
      .orderBy('request_id')
      .limit(BATCH_ROWS)
      .execute();
    // Another node may have been first.
    if (rows.length === 0) return 0;
    const made = chained(
      ends,
      rows.map((row) => ({ row, replacesSeq: null })),
    );
    for (const { request_id, chain_seq, chain_hash } of made.rows)
      await trx
        .updateTable('usage_records')
        .set({ chain_seq, chain_hash })
        .where('request_id', '=', request_id)
        .execute();
    if (!(await saveEnds(trx, made))) throw new Error('a chain moved although it was locked');
    return rows.length;
  });
