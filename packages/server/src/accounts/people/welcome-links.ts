// Links that let a person in: the first administrator's, printed by the server, and invitations. Each works once.
import { createHash, randomBytes } from 'node:crypto';
import type { MemberRole } from '@faircopy/contract';
import { ulid } from 'ulid';
import { Fault } from '../../platform/fault.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction, WelcomeLinksTable } from '../../storage/schema.ts';

export type WelcomePurpose = 'first_administrator' | 'invitation';

export interface WelcomeLink {
  readonly id: string;
  readonly purpose: WelcomePurpose;
  readonly accountId: string | null;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

const INVITATION_MS = 7 * 24 * 60 * 60 * 1000;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const toLink = (row: WelcomeLinksTable): WelcomeLink => ({
  id: row.id,
  purpose: row.purpose as WelcomePurpose,
  accountId: row.account_id,
  role: row.role as MemberRole,
  email: row.email,
  createdAtMs: row.created_at_ms,
  expiresAtMs: row.expires_at_ms,
});

const insertLink = async (
  storage: Storage,
  link: Omit<WelcomeLink, 'id' | 'createdAtMs'>,
  nowMs: number,
): Promise<{ readonly token: string; readonly link: WelcomeLink }> => {
  const token = randomBytes(24).toString('base64url');
  const row: WelcomeLinksTable = {
    id: ulid(),
    token_hash: hashOf(token),
    purpose: link.purpose,
    account_id: link.accountId,
    role: link.role,
    email: link.email,
    created_at_ms: nowMs,
    expires_at_ms: link.expiresAtMs,
    used_at_ms: null,
  };
  await storage.write.insertInto('welcome_links').values(row).execute();
  return { token, link: toLink(row) };
};

export const createInvitation = (
  storage: Storage,
  invitation: { readonly accountId: string; readonly role: MemberRole; readonly email: string | null },
  nowMs = Date.now(),
) =>
  insertLink(
    storage,
    {
      ...invitation,
      email: invitation.email?.toLowerCase() ?? null,
      purpose: 'invitation',
      expiresAtMs: nowMs + INVITATION_MS,
    },
    nowMs,
  );

/**
 * A link for the first administrator while there is no person at all; null otherwise.
 * Every start makes a new one and forgets the others, so that a link lost in an old log is worth nothing.
 */
export const createFirstAdministratorLink = async (
  storage: Storage,
  accountId: string,
  nowMs = Date.now(),
): Promise<string | null> => {
  if (await storage.write.selectFrom('people').select('id').limit(1).executeTakeFirst()) return null;
  await storage.write.deleteFrom('welcome_links').where('purpose', '=', 'first_administrator').execute();
  const { token } = await insertLink(
    storage,
    { purpose: 'first_administrator', accountId, role: 'owner', email: null, expiresAtMs: null },
    nowMs,
  );
  return token;
};

/** The link a token stands for; NOT_FOUND when it was used, withdrawn, has expired or never was. */
export const findWelcomeLink = async (
  db: Database | DatabaseTransaction,
  token: string,
  nowMs = Date.now(),
): Promise<WelcomeLink> => {
  const row = await db
    .selectFrom('welcome_links')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where('used_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row || (row.expires_at_ms !== null && row.expires_at_ms <= nowMs))
    throw new Fault('NOT_FOUND', {
      message: 'This link does not work any more. Ask for a new one; for the first sign-in, restart the server.',
    });
  return toLink(row);
};

/** Uses the link up; of two who come at once, one is let in. */
export const consumeWelcomeLink = async (
  trx: DatabaseTransaction,
  linkId: string,
  nowMs = Date.now(),
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('welcome_links')
    .set({ used_at_ms: nowMs })
    .where('id', '=', linkId)
    .where('used_at_ms', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

export const openInvitations = async (db: Database, accountId: string, nowMs = Date.now()): Promise<WelcomeLink[]> => {
  const rows = await db
    .selectFrom('welcome_links')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'invitation')
    .where('used_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .orderBy('created_at_ms', 'desc')
    .execute();
  return rows.map(toLink);
};

export const withdrawInvitation = async (storage: Storage, accountId: string, linkId: string): Promise<void> => {
  const { numDeletedRows } = await storage.write
    .deleteFrom('welcome_links')
    .where('id', '=', linkId)
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'invitation')
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new Fault('NOT_FOUND', { message: 'There is no such invitation.' });
};
