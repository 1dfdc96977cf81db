// People who sign in: created by an invitation, identified by a session.
import { randomUUID } from 'node:crypto';
import type { AcceptWelcome } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import { type Engine, lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { checkedName } from '../checked-name.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { booleanFor, timeFor } from './engine-values.ts';
import { deleteFirstAdministratorInvitations, findInvitation, type Invitation } from './invitations.ts';
import { consumeLink } from './link-tokens.ts';
import { membersOf, setMembership } from './members.ts';
import { setPassword } from './passwords.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdministrator: boolean;
}

/** The person whose session cookie is in the headers; null if there is none. */
export const personSignedIn = async (signIn: SignIn, headers: Headers): Promise<Person | null> => {
  const session = await signIn.api.getSession({ headers });
  if (!session) return null;
  const { id, name, email, isAdministrator } = session.user;
  return { id, name, email, isAdministrator: isAdministrator === true };
};

const checkAddressee = (invitation: Invitation, email: string): void => {
  if (invitation.email !== null && invitation.email !== email)
    throw new Fault('INVALID_REQUEST', {
      message: `This invitation is for ${invitation.email}. Sign in with that address, or ask for another invitation.`,
    });
};

/** Accepts an invitation as an existing person. */
export const joinByInvitation = (
  storage: Storage,
  token: string,
  person: Pick<Person, 'id' | 'email'>,
): Promise<{ readonly accountId: string }> =>
  storage.write.transaction().execute(async (trx) => {
    const invitation = await findInvitation(trx, token);
    checkAddressee(invitation, person.email);
    const { accountId, role, purpose } = invitation;
    if (accountId === null || purpose !== 'invitation')
      throw new Fault('NOT_FOUND', { message: 'This link does not lead to an account.' });
    await lockNames(storage.engine, trx, [`members:${accountId}`]);
    await consumeLink(trx, invitation.id);
    const present = (await membersOf(trx, accountId)).find((member) => member.personId === person.id);
    // An owner who accepts an invitation as a member stays an owner.
    await setMembership(trx, { accountId, personId: person.id, role: present?.role === 'owner' ? 'owner' : role });
    return { accountId };
  });

/**
 * Accepts an invitation as a new person. If the address already has a sign-in, the person must sign in and join
 * instead. The invitation is then bound to that address, so that it cannot reveal which other addresses have one.
 */
export const acceptInvitation = async (
  storage: Storage,
  signIn: SignIn,
  token: string,
  wish: AcceptWelcome,
): Promise<'created' | 'must join'> => {
  const email = wish.email.toLowerCase();
  checkAddressee(await findInvitation(storage.write, token), email);
  const name = checkedName('Your name', wish.name);
  // Hashing is slow, so it runs before the transaction.
  const passwordHash = await (await signIn.$context).password.hash(wish.password);
  return storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, ['people']);
    const invitation = await findInvitation(trx, token);
    checkAddressee(invitation, email);
    const isFirst = invitation.purpose === 'first_administrator';
    if (isFirst && (await trx.selectFrom('people').select('id').limit(1).executeTakeFirst()))
      throw new Fault('NOT_FOUND', { message: 'This server already has an administrator.' });
    const taken = await trx.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
    if (taken) {
      await trx.updateTable('welcome_links').set({ email }).where('id', '=', invitation.id).execute();
      return 'must join';
    }
    await consumeLink(trx, invitation.id);
    if (isFirst) await deleteFirstAdministratorInvitations(trx);
    const personId = await insertPerson(storage.engine, trx, { name, email, isAdministrator: isFirst });
    await setPassword(storage.engine, trx, { personId, passwordHash });
    if (invitation.accountId !== null)
      await setMembership(trx, { accountId: invitation.accountId, personId, role: invitation.role });
    return 'created';
  });
};

const insertPerson = async (
  engine: Engine,
  trx: DatabaseTransaction,
  { name, email, isAdministrator }: Omit<Person, 'id'>,
): Promise<string> => {
  const id = randomUUID();
  const now = timeFor(engine);
  await trx
    .insertInto('people')
    .values({
      id,
      name,
      email,
      // The inviter can read the link, so accepting it proves nothing about the address.
      email_verified: booleanFor(engine, false),
      image: null,
      is_administrator: booleanFor(engine, isAdministrator),
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
};
