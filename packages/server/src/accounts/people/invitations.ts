// Invitations: single-use links that make a person a member of an account or the first administrator.
import type { MemberRole } from '@faircopy/contract';
import { ulid } from 'ulid';
import { Fault } from '../../lib/fault.ts';
import type { Storage } from '../../storage/open.ts';
import type { WelcomeLinksTable } from '../../storage/schema/people.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { hashOfLink, newLinkToken } from './link-tokens.ts';

export type InvitationPurpose = 'first_administrator' | 'invitation';

export interface Invitation {
  readonly id: string;
  readonly purpose: InvitationPurpose;
  readonly accountId: string | null;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

const INVITATION_MS = 7 * 24 * 60 * 60 * 1000;

const toInvitation = (row: WelcomeLinksTable): Invitation => ({
  id: row.id,
  purpose: row.purpose as InvitationPurpose,
  accountId: row.account_id,
  role: row.role as MemberRole,
  email: row.email,
  createdAtMs: row.created_at_ms,
  expiresAtMs: row.expires_at_ms,
});

const insertInvitation = async (
  storage: Storage,
  invitation: Omit<Invitation, 'id' | 'createdAtMs'> & { readonly node: string | null },
  nowMs: number,
): Promise<{ readonly token: string; readonly invitation: Invitation }> => {
  const token = newLinkToken();
  const row: WelcomeLinksTable = {
    id: ulid(),
    token_hash: hashOfLink(token),
    purpose: invitation.purpose,
    account_id: invitation.accountId,
    role: invitation.role,
    email: invitation.email,
    created_at_ms: nowMs,
    expires_at_ms: invitation.expiresAtMs,
    used_at_ms: null,
    person_id: null,
    node: invitation.node,
  };
  await storage.write.insertInto('welcome_links').values(row).execute();
  return { token, invitation: toInvitation(row) };
};

export const createInvitation = (
  storage: Storage,
  invitation: { readonly accountId: string; readonly role: MemberRole; readonly email: string | null },
  nowMs = Date.now(),
) =>
  insertInvitation(
    storage,
    {
      ...invitation,
      email: invitation.email?.toLowerCase() ?? null,
      purpose: 'invitation',
      expiresAtMs: nowMs + INVITATION_MS,
      node: null,
    },
    nowMs,
  );

/**
 * The token of an invitation for the first administrator; null if there are people. Each start replaces the links that
 * the same node created earlier, so that links in its old logs are void. Links of other nodes stay valid.
 */
export const createFirstAdministratorInvitation = async (
  storage: Storage,
  accountId: string,
  node: string,
): Promise<string | null> => {
  if (await storage.write.selectFrom('people').select('id').limit(1).executeTakeFirst()) return null;
  await storage.write
    .deleteFrom('welcome_links')
    .where('purpose', '=', 'first_administrator')
    // Earlier releases recorded no node.
    .where(({ eb, or }) => or([eb('node', '=', node), eb('node', 'is', null)]))
    .execute();
  const owner = { purpose: 'first_administrator', accountId, role: 'owner', email: null } as const;
  const { token } = await insertInvitation(storage, { ...owner, expiresAtMs: null, node }, Date.now());
  return token;
};

/** Deletes the unused first-start links of all nodes. */
export const deleteFirstAdministratorInvitations = async (trx: DatabaseTransaction): Promise<void> => {
  await trx
    .deleteFrom('welcome_links')
    .where('purpose', '=', 'first_administrator')
    .where('used_at_ms', 'is', null)
    .execute();
};

/** Throws NOT_FOUND if the invitation was used, withdrawn, has expired or does not exist. */
export const findInvitation = async (db: Database | DatabaseTransaction, token: string): Promise<Invitation> => {
  const row = await db
    .selectFrom('welcome_links')
    .selectAll()
    .where('token_hash', '=', hashOfLink(token))
    .where('purpose', 'in', ['first_administrator', 'invitation'])
    .where('used_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row || (row.expires_at_ms !== null && row.expires_at_ms <= Date.now()))
    throw new Fault('NOT_FOUND', {
      message: 'This link is no longer valid. Ask for a new one; for the first sign-in, restart the server.',
    });
  return toInvitation(row);
};

export const openInvitations = async (db: Database, accountId: string): Promise<Invitation[]> => {
  const rows = await db
    .selectFrom('welcome_links')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'invitation')
    .where('used_at_ms', 'is', null)
    .where('expires_at_ms', '>', Date.now())
    .orderBy('created_at_ms', 'desc')
    .execute();
  return rows.map(toInvitation);
};

export const withdrawInvitation = async (storage: Storage, accountId: string, invitationId: string): Promise<void> => {
  const { numDeletedRows } = await storage.write
    .deleteFrom('welcome_links')
    .where('id', '=', invitationId)
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'invitation')
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new Fault('NOT_FOUND', { message: 'There is no such invitation.' });
};
