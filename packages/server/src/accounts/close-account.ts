// Closing an account: its keys end, open links into it too, and its ledger stays.
import { Fault } from '../lib/fault.ts';
import { changeAccess } from '../storage/access-version.ts';
import { lockNames } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { type Account, accountById } from './accounts.ts';
import { locksOfKeys } from './keys/keys.ts';

/** For good. Streams that are open end within a second, like those of a revoked key. Closing again changes nothing. */
export const closeAccount = async (storage: Storage, accountId: string, nowMs = Date.now()): Promise<Account> => {
  await changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [locksOfKeys(accountId)]);
    const { closedAtMs } = await accountById(trx, accountId);
    if (closedAtMs !== null) return;
    await trx.updateTable('accounts').set({ closed_at_ms: nowMs }).where('id', '=', accountId).execute();
    await trx
      .updateTable('api_keys')
      .set({ revoked_at_ms: nowMs })
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .execute();
    await trx.deleteFrom('welcome_links').where('account_id', '=', accountId).execute();
  });
  return accountById(storage.write, accountId);
};

/** Refuses what only an open account can be given. */
export const requireOpen = ({ name, closedAtMs }: Account): void => {
  if (closedAtMs !== null) throw new Fault('CONFLICT', { message: `The account "${name}" is closed.` });
};
