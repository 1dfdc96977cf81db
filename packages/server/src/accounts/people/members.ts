// The members of an account and their roles.
import type { MemberRole } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import { changeAccess } from '../../storage/access-version.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { revokeKeysOf } from '../keys/keys.ts';

export interface Membership {
  readonly accountId: string;
  readonly accountName: string;
  readonly role: MemberRole;
  readonly sinceMs: number;
}

export interface Member {
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly sinceMs: number;
}

export const membershipsOf = async (db: Database, personId: string): Promise<Membership[]> => {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select([
      'accounts.id as accountId',
      'accounts.name as accountName',
      'memberships.role',
      'memberships.since_ms as sinceMs',
    ])
    .where('memberships.person_id', '=', personId)
    .where('accounts.closed_at_ms', 'is', null)
    .orderBy('accounts.name')
    .execute();
  return rows.map((row) => ({ ...row, role: row.role as MemberRole }));
};

export const membersOf = async (db: Database, accountId: string): Promise<Member[]> => {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select([
      'people.id as personId',
      'people.name',
      'people.email',
      'memberships.role',
      'memberships.since_ms as sinceMs',
    ])
    .where('memberships.account_id', '=', accountId)
    .orderBy('people.name')
    .execute();
  return rows.map((row) => ({ ...row, role: row.role as MemberRole }));
};

/** Adds a member or changes their role. */
export const setMembership = async (
  trx: DatabaseTransaction,
  membership: { readonly accountId: string; readonly personId: string; readonly role: MemberRole },
): Promise<void> => {
  await trx
    .insertInto('memberships')
    .values({
      account_id: membership.accountId,
      person_id: membership.personId,
      role: membership.role,
      since_ms: Date.now(),
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'person_id']).doUpdateSet({ role: membership.role }))
    .execute();
};

/** Throws CONFLICT rather than demote the last owner. */
export const setRole = async (
  storage: Storage,
  accountId: string,
  { personId, role }: { readonly personId: string; readonly role: MemberRole },
): Promise<void> =>
  storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, [`members:${accountId}`]);
    checkMember(await membersOf(trx, accountId), personId, role === 'owner');
    await setMembership(trx, { accountId, personId, role });
  });

/** Throws NOT_FOUND for other people, and CONFLICT if the last owner would lose that role. */
const checkMember = (members: readonly Member[], personId: string, staysOwner: boolean): void => {
  const found = members.find((member) => member.personId === personId);
  if (!found) throw new Fault('NOT_FOUND', { message: 'There is no such person in this account.' });
  const owners = members.filter((member) => member.role === 'owner');
  if (!staysOwner && found.role === 'owner' && owners.length === 1)
    throw new Fault('CONFLICT', {
      message: 'This is the last owner of the account. Make someone else an owner first.',
    });
};

/** Revokes the member's keys too. Throws CONFLICT rather than remove the last owner. */
export const removeMember = async (storage: Storage, accountId: string, personId: string): Promise<void> =>
  changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [`members:${accountId}`]);
    checkMember(await membersOf(trx, accountId), personId, false);
    await revokeKeysOf(trx, { accountId, personId });
    await trx.deleteFrom('memberships').where('account_id', '=', accountId).where('person_id', '=', personId).execute();
  });
