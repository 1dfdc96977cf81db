// The number that grows with every change that a node's cache of keys must notice.
import type { DatabaseTransaction } from './schema.ts';

/** Last in its transaction: all who change something wait for this one row. */
export const raiseAccessVersion = async (trx: DatabaseTransaction): Promise<void> => {
  await trx
    .updateTable('access_version')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', 1)
    .execute();
};
