// Counts the valid keys and members of each account, for the administrator's list.
import { PLAYGROUND_CREATOR } from '../storage/playground-keys.ts';
import type { Database } from '../storage/schema.ts';

export interface AccountCounts {
  /** By account id. */
  readonly keys: ReadonlyMap<string, number>;
  readonly members: ReadonlyMap<string, number>;
}

export const countKeysAndMembers = async (db: Database): Promise<AccountCounts> => {
  const keys = await db
    .selectFrom('api_keys')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('total')])
    .where('revoked_at_ms', 'is', null)
    // Lists hide the playground's keys.
    .where((eb) => eb.or([eb('created_by', 'is', null), eb('created_by', '!=', PLAYGROUND_CREATOR)]))
    .where((eb) => eb.or([eb('expires_at_ms', 'is', null), eb('expires_at_ms', '>', Date.now())]))
    .groupBy('account_id')
    .execute();
  const members = await db
    .selectFrom('memberships')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('total')])
    .groupBy('account_id')
    .execute();
  const byAccount = (rows: readonly { account_id: string; total: number }[]) =>
    new Map(rows.map((row) => [row.account_id, row.total]));
  return { keys: byAccount(keys), members: byAccount(members) };
};
