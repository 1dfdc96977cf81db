// The access version: a counter that every change to accounts, keys or budgets raises. Nodes compare it to expire caches.
import type { Storage } from './open.ts';
import type { Database, DatabaseTransaction } from './schema.ts';

export const readAccessVersion = async (db: Database): Promise<number> => {
  const row = await db.selectFrom('access_version').select('version').where('id', '=', 1).executeTakeFirstOrThrow();
  return row.version;
};

/** Call this last in a transaction: every concurrent change waits for this row. */
export const raiseAccessVersion = async (trx: DatabaseTransaction): Promise<void> => {
  await trx
    .updateTable('access_version')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', 1)
    .execute();
};

/** Makes a change and raises the version in one transaction. */
export const changeAccess = <T>(storage: Storage, change: (trx: DatabaseTransaction) => Promise<T>): Promise<T> =>
  storage.write.transaction().execute(async (trx) => {
    const result = await change(trx);
    await raiseAccessVersion(trx);
    return result;
  });
