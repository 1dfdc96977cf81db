// Renders records in the format of the console's API.
import type { AccountDetail, AccountSummary, KeyRecord } from '@faircopy/contract';
import type { Account } from '../../accounts/accounts.ts';
import type { KeyListing } from '../../accounts/keys/keys.ts';
import type { Invitation } from '../../accounts/people/invitations.ts';
import type { Member } from '../../accounts/people/members.ts';

export const iso = (atMs: number): string => new Date(atMs).toISOString();
export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));

const MONTH_SPAN_MS = 29 * 24 * 60 * 60 * 1000;

/** The first of the last 30 days, such as 2026-01-31. */
export const firstOf30Days = (): string => iso(Date.now() - MONTH_SPAN_MS).slice(0, 10);

export const keyShape = (key: KeyListing, personId: string): KeyRecord => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  created_at: iso(key.createdAtMs),
  created_by: key.createdBy,
  is_own: key.personId === personId,
  expires_at: isoOrNull(key.expiresAtMs),
  revoked_at: isoOrNull(key.revokedAtMs),
  last_used_at: isoOrNull(key.lastUsedAtMs),
  rules: key.rules,
});

export const limitsShape = (account: Account): AccountSummary['limits'] => ({
  max_streams: account.maxStreams,
  max_duration_seconds: account.maxDurationSeconds,
  max_uploads: account.maxUploads,
  max_waiting_seconds: account.maxWaitingSeconds,
});

export const memberShape = (member: Member): AccountDetail['members'][number] => ({
  person_id: member.personId,
  name: member.name,
  email: member.email,
  role: member.role,
  since: iso(member.sinceMs),
});

export const invitationShape = (link: Invitation): AccountDetail['invitations'][number] => ({
  id: link.id,
  email: link.email,
  role: link.role,
  created_at: iso(link.createdAtMs),
  expires_at: iso(link.expiresAtMs ?? link.createdAtMs),
});
