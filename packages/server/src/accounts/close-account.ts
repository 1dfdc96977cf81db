// Closes an account: revokes its keys and deletes its invitations and voices. Its ledger stays.
import { changeAccess } from '../storage/access-version.ts';
import { lockNames } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { type Account, accountById } from './accounts.ts';
import { keysLock, revocation } from './keys/keys.ts';
import { deleteVoicesOf } from './voices/voice-prints.ts';

/** Cannot be undone. Open streams end within a second. Closing again has no effect. */
export const closeAccount = async (storage: Storage, accountId: string): Promise<Account> => {
  const nowMs = Date.now();
  await changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [keysLock(accountId)]);
    const { closedAtMs } = await accountById(trx, accountId);
    await deleteVoicesOf(trx, accountId, { actor: 'account closed', requestId: null, atMs: nowMs });
    if (closedAtMs !== null) return;
    await trx.updateTable('accounts').set({ closed_at_ms: nowMs }).where('id', '=', accountId).execute();
    await revocation(trx, nowMs).where('account_id', '=', accountId).execute();
    await trx.deleteFrom('welcome_links').where('account_id', '=', accountId).execute();
  });
  return accountById(storage.write, accountId);
};
