// What the ledger says about one request, if anything.
import type { Database } from '../../storage/schema.ts';

/** 'success', an error code, or null when there is no row. */
export const recordedStatus = async (db: Database, requestId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('usage_records')
    .select('status')
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return row?.status ?? null;
};
