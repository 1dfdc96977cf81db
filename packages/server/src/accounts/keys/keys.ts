// Creates, lists, changes and revokes API keys.
import { type KeyRules, NO_KEY_RULES } from '@faircopy/contract';
import { ulid } from 'ulid';
import { Fault } from '../../lib/fault.ts';
import { changeAccess } from '../../storage/access-version.ts';
import { lockNames } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import { PLAYGROUND_CREATOR } from '../../storage/playground-keys.ts';
import type { ApiKeysTable } from '../../storage/schema/accounts.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { accountById, requireOpen } from '../accounts.ts';
import { checkedName } from '../checked-name.ts';
import { hashOfKey, newKey, shownPrefix } from './key-format.ts';
import { checkKeyLimits, retirePlaygroundKeys } from './key-limits.ts';
import { checkKeyRules, checkLanguagesOfAccount, readRules, storedRules } from './key-rules.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

export interface KeyListing {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAtMs: number;
  readonly createdBy: string | null;
  /** Who created it in the console. */
  readonly personId: string | null;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly rules: KeyRules;
}

export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  /** Shown in lists: a person's e-mail address or "command line". */
  readonly createdBy: string | null;
  /** Who creates it in the console. It counts against their limit and ends with their access to the account. */
  readonly personId?: string | null;
  readonly expiresAtMs?: number | null;
  readonly rules?: KeyRules | undefined;
}

/** The name of the lock for creating keys and voices, and for closing the account. */
export const keysLock = (accountId: string): string => `keys of ${accountId}`;

/** The result is the only place that ever holds the full key. */
export const createKey = async (
  storage: Storage,
  { accountId, name, createdBy, personId = null, expiresAtMs = null, rules = NO_KEY_RULES }: NewKey,
  nowMs = Date.now(),
): Promise<{ readonly key: string; readonly listing: KeyListing }> => {
  checkedName("The key's name", name);
  if (expiresAtMs !== null && !(Number.isSafeInteger(expiresAtMs) && expiresAtMs > nowMs))
    throw new Fault('INVALID_REQUEST', { message: "The key's expiry must be in the future." });
  const checked = checkKeyRules(rules);
  const key = newKey();
  const row = {
    id: ulid(),
    account_id: accountId,
    name,
    prefix: shownPrefix(key),
    hash: hashOfKey(key),
    created_at_ms: nowMs,
    created_by: createdBy,
    person_id: personId,
    expires_at_ms: expiresAtMs,
    revoked_at_ms: null,
    last_used_at_ms: null,
    rules: storedRules(checked),
  };
  await changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [keysLock(accountId)]);
    const account = await accountById(trx, accountId);
    requireOpen(account);
    checkLanguagesOfAccount(checked, account.languages);
    if (personId !== null && createdBy === PLAYGROUND_CREATOR)
      await retirePlaygroundKeys(trx, { accountId, personId }, nowMs);
    if (personId !== null) await checkKeyLimits(trx, { accountId, personId }, nowMs);
    await trx.insertInto('api_keys').values(row).execute();
  });
  return { key, listing: toListing(row) };
};

/** Newest first. */
export const listKeys = async (db: Database, accountId: string): Promise<KeyListing[]> => {
  const rows = await db
    .selectFrom('api_keys')
    .select(LISTED)
    .where('account_id', '=', accountId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toListing);
};

/** Finds a key by id, by the prefix shown in lists, or by the full key. */
export const findKey = async (db: Database, text: string): Promise<KeyListing> => {
  const rows = await db
    .selectFrom('api_keys')
    .select(LISTED)
    .where(({ eb, or }) =>
      or([eb('id', '=', text), eb('prefix', '=', text.replace(/…$/, '')), eb('hash', '=', hashOfKey(text))]),
    )
    .execute();
  const [row, another] = rows;
  if (!row) throw new Fault('NOT_FOUND', { message: 'There is no key with that id or prefix.' });
  if (another)
    throw new Fault('CONFLICT', {
      message: `Several keys have that prefix. Give the id of one: ${rows.map(({ id }) => id).join(', ')}.`,
    });
  return toListing(row);
};

/** Takes effect on all nodes within a second. Throws NOT_FOUND for another account's key, and for a revoked one. */
export const changeKeyRules = async (
  storage: Storage,
  accountId: string,
  keyId: string,
  rules: KeyRules,
): Promise<KeyListing> => {
  const checked = checkKeyRules(rules);
  const row = await changeAccess(storage, async (trx) => {
    const changed = await trx
      .updateTable('api_keys')
      .set({ rules: storedRules(checked) })
      .where('id', '=', keyId)
      .where('account_id', '=', accountId)
      .where('revoked_at_ms', 'is', null)
      .returning(LISTED)
      .executeTakeFirst();
    if (!changed) throw new Fault('NOT_FOUND', { message: 'There is no such valid key in this account.' });
    checkLanguagesOfAccount(checked, (await accountById(trx, accountId)).languages);
    return changed;
  });
  return toListing(row);
};

/** Throws NOT_FOUND for another account's key. Revoking again has no effect. */
export const revokeKey = async (
  storage: Storage,
  accountId: string,
  keyId: string,
  nowMs = Date.now(),
): Promise<KeyListing> => {
  await changeAccess(storage, (trx) =>
    revocation(trx, nowMs).where('id', '=', keyId).where('account_id', '=', accountId).execute(),
  );
  const row = await storage.write
    .selectFrom('api_keys')
    .select(LISTED)
    .where('id', '=', keyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) throw new Fault('NOT_FOUND', { message: 'There is no such key in this account.' });
  return toListing(row);
};

/** An update that revokes keys. Narrow it, and execute it within changeAccess. */
export const revocation = (trx: DatabaseTransaction, atMs = Date.now()) =>
  trx.updateTable('api_keys').set({ revoked_at_ms: atMs }).where('revoked_at_ms', 'is', null);

/** Revokes all keys that a person created in an account, including the playground's. Call it within changeAccess. */
export const revokeKeysOf = async (
  trx: DatabaseTransaction,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
): Promise<void> => {
  await revocation(trx).where('account_id', '=', accountId).where('person_id', '=', personId).execute();
};

/** Revokes all keys that a person created in accounts of others, as an administrator. Call it within changeAccess. */
export const revokeKeysElsewhere = async (trx: DatabaseTransaction, personId: string): Promise<void> => {
  const own = trx.selectFrom('memberships').select('account_id').where('person_id', '=', personId);
  await revocation(trx).where('person_id', '=', personId).where('account_id', 'not in', own).execute();
};

export const keyState = (key: Pick<KeyListing, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): KeyState => {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active';
};

const LISTED = [
  'id',
  'account_id',
  'name',
  'prefix',
  'created_at_ms',
  'created_by',
  'person_id',
  'expires_at_ms',
  'revoked_at_ms',
  'last_used_at_ms',
  'rules',
] as const;

/** Rules of a newer release are shown as none; such a key is refused. */
const shownRules = (stored: string | null): KeyRules => {
  const rules = readRules(stored);
  return rules === 'unreadable' ? NO_KEY_RULES : rules;
};

const toListing = (row: Pick<ApiKeysTable, (typeof LISTED)[number]>): KeyListing => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  prefix: row.prefix,
  createdAtMs: row.created_at_ms,
  createdBy: row.created_by,
  personId: row.person_id,
  expiresAtMs: row.expires_at_ms,
  revokedAtMs: row.revoked_at_ms,
  lastUsedAtMs: row.last_used_at_ms,
  rules: shownRules(row.rules),
});
