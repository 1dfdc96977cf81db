// Lists the people who can sign in to the console, and manages its administrators.
import { Fault } from '../../lib/fault.ts';
import { changeAccess } from '../../storage/access-version.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import { revokeKeysElsewhere } from '../keys/keys.ts';
import { booleanFor } from './engine-values.ts';

export interface KnownPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdministrator: boolean;
  /** The names of their open accounts. */
  readonly accounts: readonly string[];
}

/** By name. */
export const listPeople = async (db: Database): Promise<KnownPerson[]> => {
  const people = await db
    .selectFrom('people')
    .select(['id', 'name', 'email', 'is_administrator'])
    .orderBy('name')
    .orderBy('email')
    .execute();
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['memberships.person_id', 'accounts.name'])
    .where('accounts.closed_at_ms', 'is', null)
    .orderBy('accounts.name')
    .execute();
  return people.map(({ id, name, email, is_administrator }) => ({
    id,
    name,
    email,
    isAdministrator: Boolean(is_administrator),
    accounts: memberships.flatMap((membership) => (membership.person_id === id ? membership.name : [])),
  }));
};

/** Throws NOT_FOUND if nobody has that address. */
export const personByEmail = async (db: Database, email: string): Promise<KnownPerson> => {
  const person = (await listPeople(db)).find((known) => known.email === email.trim().toLowerCase());
  if (!person) throw new Fault('NOT_FOUND', { message: `There is no person with the address "${email}".` });
  return person;
};

/** Revokes a former administrator's keys in accounts of others too. Throws CONFLICT rather than remove the last one. */
export const setAdministrator = async (storage: Storage, personId: string, isAdministrator: boolean): Promise<void> =>
  changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, ['people']);
    const people = await listPeople(trx);
    const person = people.find(({ id }) => id === personId);
    if (!person) throw new Fault('NOT_FOUND', { message: 'There is no such person.' });
    const administrators = people.filter((known) => known.isAdministrator);
    if (!isAdministrator && person.isAdministrator && administrators.length === 1)
      throw new Fault('CONFLICT', {
        message: 'This is the last administrator of the server. Make someone else an administrator first.',
      });
    await trx
      .updateTable('people')
      .set({ is_administrator: booleanFor(storage.engine, isAdministrator) })
      .where('id', '=', personId)
      .execute();
    if (!isAdministrator) await revokeKeysElsewhere(trx, personId);
  });
