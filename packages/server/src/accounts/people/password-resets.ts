// Links that let a person choose a new password. Each works once, for a day; a newer one replaces it.
import { ulid } from 'ulid';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { attemptsKeyOf, SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import { timeFor } from './engine-values.ts';
import { consumeInvitation } from './invitations.ts';
import { hashOfLink, newLinkToken } from './link-tokens.ts';

export interface PasswordReset {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
}

export const RESET_LINK_MS = 24 * 60 * 60 * 1000;
const PURPOSE = 'password_reset';

export const createPasswordReset = async (
  storage: Storage,
  personId: string,
  nowMs = Date.now(),
): Promise<{ readonly token: string; readonly expiresAtMs: number }> => {
  const token = newLinkToken();
  const expiresAtMs = nowMs + RESET_LINK_MS;
  await storage.write.transaction().execute(async (trx) => {
    await trx.deleteFrom('welcome_links').where('purpose', '=', PURPOSE).where('person_id', '=', personId).execute();
    await trx
      .insertInto('welcome_links')
      .values({
        id: ulid(),
        token_hash: hashOfLink(token),
        purpose: PURPOSE,
        account_id: null,
        role: '',
        email: null,
        created_at_ms: nowMs,
        expires_at_ms: expiresAtMs,
        used_at_ms: null,
        person_id: personId,
      })
      .execute();
  });
  return { token, expiresAtMs };
};

/** NOT_FOUND when the link was used, replaced, has expired or never was. */
export const findPasswordReset = async (db: Database, token: string, nowMs = Date.now()): Promise<PasswordReset> => {
  const row = await db
    .selectFrom('welcome_links')
    .innerJoin('people', 'people.id', 'welcome_links.person_id')
    .select(['welcome_links.id', 'people.id as personId', 'people.email'])
    .where('token_hash', '=', hashOfLink(token))
    .where('purpose', '=', PURPOSE)
    .where('used_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst();
  if (!row) throw new Fault('NOT_FOUND', { message: 'This link does not work any more. Ask for a new one.' });
  return row;
};

/** Sets the password and ends every session of the person: whoever knew the old one is out. */
export const resetPassword = async (
  storage: Storage,
  signIn: SignIn,
  token: string,
  password: string,
): Promise<PasswordReset> => {
  const reset = await findPasswordReset(storage.write, token);
  const { personId } = reset;
  const context = await signIn.$context;
  // Slow on purpose, so it is done before the transaction, not inside.
  const passwordHash = await context.password.hash(password);
  await storage.write.transaction().execute(async (trx) => {
    if (!(await consumeInvitation(trx, reset.id)))
      throw new Fault('NOT_FOUND', { message: 'This link has been used already.' });
    const now = timeFor(storage.engine);
    const { numUpdatedRows } = await trx
      .updateTable('person_credentials')
      .set({ password_hash: passwordHash, updated_at: now })
      .where('person_id', '=', personId)
      .where('provider_id', '=', 'credential')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n)
      await trx
        .insertInto('person_credentials')
        .values({
          id: context.generateId({ model: 'account' }) || crypto.randomUUID(),
          person_id: personId,
          provider_id: 'credential',
          provider_account_id: personId,
          password_hash: passwordHash,
          created_at: now,
          updated_at: now,
        })
        .execute();
    await trx.deleteFrom('person_sessions').where('person_id', '=', personId).execute();
  });
  // Guesses at the old password must not keep the person out now.
  await new SignInAttempts(storage).forget(attemptsKeyOf(reset.email));
  return reset;
};
