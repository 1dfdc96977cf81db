// Password reset links. Each works once and expires after a day; a new link replaces the previous one.
import { ulid } from 'ulid';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { attemptsKeyOf, SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import { consumeLink, hashOfLink, newLinkToken } from './link-tokens.ts';
import { setPassword } from './passwords.ts';

export interface PasswordReset {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
}

const RESET_LINK_MS = 24 * 60 * 60 * 1000;
const PURPOSE = 'password_reset';

export const createPasswordReset = async (
  storage: Storage,
  personId: string,
): Promise<{ readonly token: string; readonly expiresAtMs: number }> => {
  const token = newLinkToken();
  const nowMs = Date.now();
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
        node: null,
      })
      .execute();
  });
  return { token, expiresAtMs };
};

/** Throws NOT_FOUND if the link was used, replaced, has expired or does not exist. */
export const findPasswordReset = async (db: Database, token: string): Promise<PasswordReset> => {
  const row = await db
    .selectFrom('welcome_links')
    .innerJoin('people', 'people.id', 'welcome_links.person_id')
    .select(['welcome_links.id', 'people.id as personId', 'people.email'])
    .where('token_hash', '=', hashOfLink(token))
    .where('purpose', '=', PURPOSE)
    .where('used_at_ms', 'is', null)
    .where('expires_at_ms', '>', Date.now())
    .executeTakeFirst();
  if (!row) throw new Fault('NOT_FOUND', { message: 'This link is no longer valid. Ask for a new one.' });
  return row;
};

/** Sets the password and ends all sessions of the person. */
export const resetPassword = async (
  storage: Storage,
  signIn: SignIn,
  token: string,
  password: string,
): Promise<PasswordReset> => {
  const reset = await findPasswordReset(storage.write, token);
  const { personId } = reset;
  const context = await signIn.$context;
  // Hashing is slow, so it runs before the transaction.
  const passwordHash = await context.password.hash(password);
  await storage.write.transaction().execute(async (trx) => {
    await consumeLink(trx, reset.id);
    await setPassword(storage.engine, trx, { personId, passwordHash });
    await trx.deleteFrom('person_sessions').where('person_id', '=', personId).execute();
  });
  // Failed attempts with the old password must not block the new one.
  await new SignInAttempts(storage).reset(attemptsKeyOf(reset.email));
  return reset;
};
