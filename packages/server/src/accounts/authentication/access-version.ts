// The number that grows with every change to accounts and keys, by which each node knows when its cache is out of date.

import { raiseAccessVersion } from '../../storage/access-version.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';

export const readAccessVersion = async (db: Database): Promise<number> => {
  const row = await db.selectFrom('access_version').select('version').where('id', '=', 1).executeTakeFirstOrThrow();
  return row.version;
};

/** Makes a change and announces it to every node, both or neither. */
export const changeAccess = <T>(storage: Storage, change: (trx: DatabaseTransaction) => Promise<T>): Promise<T> =>
  storage.write.transaction().execute(async (trx) => {
    const result = await change(trx);
    await raiseAccessVersion(trx);
    return result;
  });
