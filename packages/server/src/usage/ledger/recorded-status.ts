// Reads the recorded status of one request.
import type { Database } from '../../storage/schema.ts';

/** 'success', an error code, or null if there is no row. */
export const recordedStatus = async (db: Database, requestId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('usage_records')
    .select('status')
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  return row?.status ?? null;
};
