// How many streams an account has open now, over all nodes.
import { databaseNowMs } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';

export const openStreams = async (storage: Storage, accountId: string): Promise<number> => {
  const { open } = await storage.read
    .selectFrom('stream_leases')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .where('expires_at_ms', '>', databaseNowMs(storage.engine))
    .executeTakeFirstOrThrow();
  return open;
};
