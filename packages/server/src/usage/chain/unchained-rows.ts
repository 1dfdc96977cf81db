// Links rows written by nodes of an older release during a rolling upgrade.
import { type SqlBool, sql } from '#kysely';
import type { Storage } from '../../storage/open.ts';
import { linkRows, lockEnds, saveEnds } from './ends.ts';

export const LINK_EVERY_MS = 60_000;
const BATCH_ROWS = 500;

/** Returns the number of rows linked. */
export const linkUnchained = async (storage: Storage): Promise<number> => {
  for (let linked = 0; ; ) {
    const next = await storage.write
      .selectFrom('usage_records')
      .select('account_id')
      .where('chain_seq', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (!next) return linked;
    linked += await linkBatch(storage, next.account_id);
  }
};

const linkBatch = ({ engine, write }: Storage, accountId: string): Promise<number> =>
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
    // Another node may have linked them already.
    if (rows.length === 0) return 0;
    const linked = linkRows(
      ends,
      rows.map((row) => ({ row, replacesSeq: null })),
    );
    for (const { request_id, chain_seq, chain_hash } of linked.rows)
      await trx
        .updateTable('usage_records')
        .set({ chain_seq, chain_hash })
        .where('request_id', '=', request_id)
        .execute();
    if (!(await saveEnds(trx, linked))) throw new Error('a locked chain has changed');
    return rows.length;
  });
