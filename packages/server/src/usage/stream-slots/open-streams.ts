// How many streams an account has open now, over all nodes.
import type { Storage } from '../../storage/open.ts';
import { isHeld } from './active-leases.ts';

export const openStreams = async (storage: Storage, accountId: string): Promise<number> => {
  const { open } = await storage.read
    .selectFrom('stream_leases')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .where(isHeld(storage.engine))
    .executeTakeFirstOrThrow();
  return open;
};
