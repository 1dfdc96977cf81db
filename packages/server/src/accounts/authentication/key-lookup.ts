// Looks up keys by hash, several in one query.
import type { KeyRules } from '@faircopy/contract';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import type { Database } from '../../storage/schema.ts';
import { type BudgetStatus, budgetStatuses } from '../../usage/budgets/stops.ts';
import { levelOrNull } from '../accounts.ts';
import { storedLanguages } from '../allowed-languages.ts';
import { readRules } from '../keys/key-rules.ts';
import type { AccountLimits, Principal } from '../principal.ts';
import { storedRedaction } from '../stored-redaction.ts';

/** A key without the fields that all keys of its account share. */
export interface KnownKey {
  readonly hash: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly expiresAtMs: number | null;
  /** Verifies client secrets; null if there is none. */
  readonly clientPublicKey: string | null;
  readonly rules: KeyRules;
  readonly budget: BudgetStatus | null;
}

/** Stored once per account: a vocabulary can take 80 kB. */
export type KnownAccount = Omit<Principal, 'keyId' | 'rules' | 'budget'>;

export interface FoundKey {
  readonly key: KnownKey;
  readonly account: KnownAccount;
}

/** One result per hash, in order; null for an unknown or revoked key. */
export const lookUpKeys = async (
  db: Database,
  defaults: AccountLimits,
  hashes: readonly string[],
  nowMs: number,
): Promise<(FoundKey | null)[]> => {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select([
      'api_keys.id as key_id',
      'api_keys.hash',
      'api_keys.expires_at_ms',
      'api_keys.client_public_key',
      'api_keys.rules',
      'accounts.id as account_id',
      'accounts.name as account_name',
      'accounts.max_streams',
      'accounts.max_duration_seconds',
      'accounts.max_uploads',
      'accounts.max_waiting_seconds',
      'accounts.refinement',
      'accounts.redaction',
      'accounts.languages',
    ])
    .where('api_keys.hash', 'in', hashes)
    .where('api_keys.revoked_at_ms', 'is', null)
    .where('accounts.closed_at_ms', 'is', null)
    .execute();
  const accountIds = [...new Set(rows.map((row) => row.account_id))];
  const vocabularies = await vocabulariesOf(db, accountIds);
  const budgetOf = await budgetStatuses(db, accountIds, nowMs);
  const known = new Map<string, FoundKey>();
  for (const row of rows) {
    const rules = readRules(row.rules);
    if (rules === 'unreadable') continue;
    known.set(row.hash, {
      key: {
        hash: row.hash,
        keyId: row.key_id,
        accountId: row.account_id,
        expiresAtMs: row.expires_at_ms,
        clientPublicKey: row.client_public_key,
        rules,
        budget: budgetOf({ accountId: row.account_id, keyId: row.key_id }),
      },
      account: {
        accountId: row.account_id,
        accountName: row.account_name,
        limits: {
          maxStreams: row.max_streams ?? defaults.maxStreams,
          maxDurationSeconds: row.max_duration_seconds ?? defaults.maxDurationSeconds,
          maxUploads: row.max_uploads ?? defaults.maxUploads,
          maxWaitingSeconds: row.max_waiting_seconds ?? defaults.maxWaitingSeconds,
        },
        refinement: levelOrNull(row.refinement),
        redaction: storedRedaction(row.redaction),
        languages: storedLanguages(row.languages),
        ...(vocabularies.get(row.account_id) ?? NO_VOCABULARY),
      },
    });
  }
  return hashes.map((hash) => known.get(hash) ?? null);
};

/** The principal of the key of a waiting job; null if the key is unknown, revoked or expired. */
export const principalOfKey = async (
  db: Database,
  defaults: AccountLimits,
  keyId: string,
  nowMs: number,
): Promise<Principal | null> => {
  const row = await db.selectFrom('api_keys').select(['hash', 'created_by']).where('id', '=', keyId).executeTakeFirst();
  const [found] = row ? await lookUpKeys(db, defaults, [row.hash], nowMs) : [];
  // The console's keys live for an hour, and its jobs may wait longer. They are revoked with the person's membership.
  const expires = row?.created_by !== PLAYGROUND_CREATOR;
  if (!found || (expires && found.key.expiresAtMs !== null && found.key.expiresAtMs <= nowMs)) return null;
  return { keyId, rules: found.key.rules, budget: found.key.budget, ...found.account };
};

type Vocabulary = Pick<Principal, 'vocabulary' | 'falseAlarms'>;
const NO_VOCABULARY: Vocabulary = { vocabulary: [] };

const vocabulariesOf = async (
  db: Database,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Vocabulary>> => {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('vocabulary_terms')
    .select(['account_id', 'term', 'false_alarms'])
    .where('account_id', 'in', accountIds)
    .orderBy('account_id')
    .orderBy('position')
    .execute();
  const found = new Map<string, { vocabulary: string[]; falseAlarms?: Map<string, number> }>();
  for (const { account_id, term, false_alarms: count } of rows) {
    const known = found.get(account_id) ?? { vocabulary: [] };
    known.vocabulary.push(term);
    if (count > 0) known.falseAlarms = (known.falseAlarms ?? new Map()).set(term, count);
    found.set(account_id, known);
  }
  return found;
};
