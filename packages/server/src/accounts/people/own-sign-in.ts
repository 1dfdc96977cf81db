// What people manage about their own sign-in: their name, and the browsers in which they are signed in.
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database } from '../../storage/schema.ts';
import { checkedName } from '../checked-name.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { timeFor } from './engine-values.ts';

export interface OwnSession {
  readonly id: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly userAgent: string | null;
  readonly address: string | null;
}

/** A session lasts a week, so a person has few. */
const SESSIONS_MAX = 100;

/** The id of the session whose cookie is in the headers; null if there is none. */
export const sessionIdOf = async (signIn: SignIn, headers: Headers): Promise<string | null> =>
  (await signIn.api.getSession({ headers }))?.session.id ?? null;

/** Newest first. */
export const sessionsOf = async ({ read, engine }: Storage, personId: string): Promise<OwnSession[]> => {
  const rows = await read
    .selectFrom('person_sessions')
    .select(['id', 'created_at', 'expires_at', 'user_agent', 'ip_address'])
    .where('person_id', '=', personId)
    .where('expires_at', '>', timeFor(engine))
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_MAX)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAtMs: new Date(row.created_at).getTime(),
    expiresAtMs: new Date(row.expires_at).getTime(),
    userAgent: row.user_agent || null,
    address: row.ip_address || null,
  }));
};

export const endSession = async (
  { write }: Storage,
  { personId, sessionId }: { readonly personId: string; readonly sessionId: string },
): Promise<void> => {
  const { numDeletedRows } = await write
    .deleteFrom('person_sessions')
    .where('id', '=', sessionId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Fault('NOT_FOUND', { message: 'This session has already ended.' });
};

/** People who sign in with OpenID Connect have none. */
export const hasPassword = async (db: Database, personId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('person_credentials')
    .select('id')
    .where('person_id', '=', personId)
    .where('password_hash', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
};

export const renamePerson = async (
  { write, engine }: Storage,
  { personId, name }: { readonly personId: string; readonly name: string },
): Promise<void> => {
  await write
    .updateTable('people')
    .set({ name: checkedName('Your name', name), updated_at: timeFor(engine) })
    .where('id', '=', personId)
    .execute();
};
