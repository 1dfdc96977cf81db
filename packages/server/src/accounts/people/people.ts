// People: created by an invitation, known by their session.
import type { AcceptWelcome } from '@faircopy/contract';
import { Fault } from '../../platform/fault.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import { checkedName } from '../checked-name.ts';
import { consumeInvitation, findInvitation } from './invitations.ts';
import { setMembership } from './members.ts';
import type { SignIn } from './sign-in.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdministrator: boolean;
}

/** The person whose session cookie these headers carry; null when nobody is signed in. */
export const personSignedIn = async (signIn: SignIn, headers: Headers): Promise<Person | null> => {
  const session = await signIn.api.getSession({ headers });
  if (!session) return null;
  const { id, name, email, isAdministrator } = session.user;
  return { id, name, email, isAdministrator: isAdministrator === true };
};

/** Creates the invited person. The invitation is used up only together with that. */
export const acceptInvitation = async (
  storage: Storage,
  signIn: SignIn,
  token: string,
  wish: AcceptWelcome,
): Promise<void> => {
  const invitation = await findInvitation(storage.write, token);
  const email = wish.email.toLowerCase();
  if (invitation.email !== null && invitation.email !== email)
    throw new Fault('INVALID_REQUEST', { message: 'This invitation is for another e-mail address.' });
  const name = checkedName('Your name', wish.name);
  const context = await signIn.$context;
  // Slow on purpose, so it is done before the transaction, not inside.
  const passwordHash = await context.password.hash(wish.password);
  await storage.write.transaction().execute(async (trx) => {
    await lockNames(storage.engine, trx, ['people']);
    if (!(await consumeInvitation(trx, invitation.id)))
      throw new Fault('NOT_FOUND', { message: 'This link has been used already.' });
    const taken = await trx.selectFrom('people').select('id').where('email', '=', email).executeTakeFirst();
    if (taken) throw new Fault('CONFLICT', { message: 'There is a person with this e-mail address already.' });
    const isFirst = invitation.purpose === 'first_administrator';
    if (isFirst && (await trx.selectFrom('people').select('id').limit(1).executeTakeFirst()))
      throw new Fault('NOT_FOUND', { message: 'This server has an administrator already.' });
    const personId = context.generateId({ model: 'user' }) || crypto.randomUUID();
    const truth = (value: boolean) => (storage.engine === 'sqlite' ? Number(value) : value) as never;
    const now = (storage.engine === 'sqlite' ? new Date().toISOString() : new Date()) as never;
    const times = { created_at: now, updated_at: now };
    await trx
      .insertInto('people')
      .values({
        id: personId,
        name,
        email,
        // The link came by a way the inviter chose; it is not proof of the address.
        email_verified: truth(invitation.email !== null),
        image: null,
        is_administrator: truth(isFirst),
        ...times,
      })
      .execute();
    await trx
      .insertInto('person_credentials')
      .values({
        id: context.generateId({ model: 'account' }) || crypto.randomUUID(),
        person_id: personId,
        provider_id: 'credential',
        provider_account_id: personId,
        password_hash: passwordHash,
        ...times,
      })
      .execute();
    if (invitation.accountId !== null)
      await setMembership(trx, { accountId: invitation.accountId, personId, role: invitation.role });
  });
};
