// People who sign in: created by an invitation, identified by a session.
import { randomUUID } from 'node:crypto';
import type { AcceptWelcome } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import { checkedName } from '../checked-name.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { booleanFor, timeFor } from './engine-values.ts';
import { consumeInvitation, findInvitation, type Invitation } from './invitations.ts';
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
export const joinByInvitation = async (
  storage: Storage,
  token: string,
  person: Pick<Person, 'id' | 'email'>,
): Promise<{ readonly accountId: string }> => {
  const invitation = await findInvitation(storage.write, token);
  checkAddressee(invitation, person.email);
  const { accountId, role } = invitation;
  if (accountId === null) throw new Fault('NOT_FOUND', { message: 'This link does not lead to an account.' });
  await storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, [`members:${accountId}`]);
    if (!(await consumeInvitation(trx, invitation.id)))
      throw new Fault('NOT_FOUND', { message: 'This link has already been used.' });
    const present = (await membersOf(trx, accountId)).find((member) => member.personId === person.id);
    // An owner who accepts an invitation as a member stays an owner.
    await setMembership(trx, { accountId, personId: person.id, role: present?.role === 'owner' ? 'owner' : role });
    // The link was sent to that address, and whoever has it knows the person's password.
    if (invitation.email !== null)
      await trx
        .updateTable('people')
        .set({ email_verified: booleanFor(storage.engine, true) })
        .where('id', '=', person.id)
        .execute();
  });
  return { accountId };
};

/** Accepts an invitation as a new person. Uses up the invitation only if the person is created. */
export const acceptInvitation = async (
  storage: Storage,
  signIn: SignIn,
  token: string,
  wish: AcceptWelcome,
): Promise<void> => {
  const invitation = await findInvitation(storage.write, token);
  const email = wish.email.toLowerCase();
  checkAddressee(invitation, email);
  const name = checkedName('Your name', wish.name);
  const context = await signIn.$context;
  // Hashing is slow, so it runs before the transaction.
  const passwordHash = await context.password.hash(wish.password);
  await storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, ['people']);
    if (!(await consumeInvitation(trx, invitation.id)))
      throw new Fault('NOT_FOUND', { message: 'This link has already been used.' });
    const taken = await trx.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
    if (taken)
      throw new Fault('CONFLICT', {
        message: 'You have a sign-in here already under this e-mail address. Sign in with its password to accept.',
      });
    const isFirst = invitation.purpose === 'first_administrator';
    if (isFirst && (await trx.selectFrom('people').select('id').limit(1).executeTakeFirst()))
      throw new Fault('NOT_FOUND', { message: 'This server already has an administrator.' });
    const personId = randomUUID();
    const now = timeFor(storage.engine);
    await trx
      .insertInto('people')
      .values({
        id: personId,
        name,
        email,
        // The link came by a way the inviter chose; it is not proof of the address.
        email_verified: booleanFor(storage.engine, invitation.email !== null),
        image: null,
        is_administrator: booleanFor(storage.engine, isFirst),
        created_at: now,
        updated_at: now,
      })
      .execute();
    await setPassword(storage.engine, trx, { personId, passwordHash });
    if (invitation.accountId !== null)
      await setMembership(trx, { accountId: invitation.accountId, personId, role: invitation.role });
  });
};
