// Creates, finds, lists and renames accounts, and sets their limits.
import { isRefineLevel, type RedactionName, type RefineLevel } from '@faircopy/contract';
import { ulid } from 'ulid';
import { changedMeanwhile } from '../lib/edit-conflict.ts';
import { Fault } from '../lib/fault.ts';
import { changeAccess } from '../storage/access-version.ts';
import { lockNames } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import type { AccountsTable } from '../storage/schema/accounts.ts';
import type { Database } from '../storage/schema.ts';
import { languagesText, storedLanguages } from './allowed-languages.ts';
import { checkedName } from './checked-name.ts';
import { type AccountLimits, LIMIT_RANGES } from './principal.ts';
import { redactionText, storedRedaction } from './stored-redaction.ts';

/** Null: the server's default applies. */
type OwnLimits = { readonly [Limit in keyof AccountLimits]: number | null };

export interface Account extends OwnLimits {
  readonly id: string;
  readonly name: string;
  /** Null: full refinement. */
  readonly refinement: RefineLevel | null;
  /** Redactions that apply to all its requests. */
  readonly redaction: readonly RedactionName[];
  /** Languages that its requests are limited to; empty: any. */
  readonly languages: readonly string[];
  readonly createdAtMs: number;
  /** Null: open. */
  readonly closedAtMs: number | null;
}

/** A number sets the limit, null restores the server's default, undefined leaves it unchanged. */
export type LimitsChange = { readonly [Limit in keyof AccountLimits]?: number | null | undefined };

const LIMIT_NAMES: Readonly<Record<keyof AccountLimits, string>> = {
  maxStreams: 'The number of streams',
  maxDurationSeconds: 'The longest duration in seconds',
  maxUploads: 'The number of uploads',
  maxWaitingSeconds: 'The waiting audio in seconds',
};
const LIMITS = Object.keys(LIMIT_NAMES) as (keyof AccountLimits)[];

/** Null for a level that this release does not know. */
export const levelOrNull = (value: string | null): RefineLevel | null => (isRefineLevel(value) ? value : null);

const toAccount = (row: AccountsTable): Account => ({
  id: row.id,
  name: row.name,
  maxStreams: row.max_streams,
  maxDurationSeconds: row.max_duration_seconds,
  maxUploads: row.max_uploads,
  maxWaitingSeconds: row.max_waiting_seconds,
  refinement: levelOrNull(row.refinement),
  redaction: storedRedaction(row.redaction),
  languages: storedLanguages(row.languages),
  createdAtMs: row.created_at_ms,
  closedAtMs: row.closed_at_ms,
});

const insertAccount = async (storage: Storage, name: string): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await storage.write
    .insertInto('accounts')
    .values({
      id: ulid(),
      name: checkedName("The account's name", name),
      max_streams: null,
      max_duration_seconds: null,
      max_uploads: null,
      max_waiting_seconds: null,
      refinement: null,
      redaction: null,
      languages: null,
      created_at_ms: Date.now(),
      closed_at_ms: null,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

export const createAccount = async (storage: Storage, name: string): Promise<Account> => {
  if (!(await insertAccount(storage, name)))
    throw new Fault('CONFLICT', { message: `An account named "${name}" already exists.` });
  return accountNamed(storage.write, name);
};

/** Creates the account if it does not exist. */
export const ensureAccount = async (
  storage: Storage,
  name: string,
): Promise<{ readonly account: Account; readonly created: boolean }> => {
  const found = await findAccount(storage.write, name);
  if (found) return { account: found, created: false };
  const created = await insertAccount(storage, name);
  return { account: await accountNamed(storage.write, name), created };
};

export const findAccount = async (db: Database, name: string): Promise<Account | null> => {
  // PostgreSQL rejects NUL characters, and no name contains one.
  if (name.includes('\0')) return null;
  const row = await db.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
  return row ? toAccount(row) : null;
};

/** Throws NOT_FOUND if there is no such account. */
export const accountNamed = async (db: Database, name: string): Promise<Account> => {
  const account = await findAccount(db, name);
  if (!account) throw new Fault('NOT_FOUND', { message: `There is no account named "${name}".` });
  return account;
};

export const accountById = async (db: Database, id: string): Promise<Account> => {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new Fault('NOT_FOUND', { message: 'There is no such account.' });
  return toAccount(row);
};

/** Throws CONFLICT if the account is closed. */
export const requireOpen = ({ name, closedAtMs }: Account): void => {
  if (closedAtMs !== null) throw new Fault('CONFLICT', { message: `The account "${name}" is closed.` });
};

export const listAccounts = async (db: Database): Promise<Account[]> =>
  (await db.selectFrom('accounts').selectAll().orderBy('name').execute()).map(toAccount);

/** With `before`, throws CONFLICT if the limits have changed since. */
export const setLimits = async (
  storage: Storage,
  accountId: string,
  change: LimitsChange,
  before?: LimitsChange,
): Promise<Account> => {
  for (const limit of LIMITS) checkLimit(limit, change[limit]);
  await changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, [`limits of ${accountId}`]);
    if (before) checkUnchanged(await accountById(trx, accountId), before);
    await trx
      .updateTable('accounts')
      .set({
        // Kysely omits undefined values; this assignment keeps the statement valid if all are undefined.
        name: (eb) => eb.ref('name'),
        max_streams: change.maxStreams,
        max_duration_seconds: change.maxDurationSeconds,
        max_uploads: change.maxUploads,
        max_waiting_seconds: change.maxWaitingSeconds,
      })
      .where('id', '=', accountId)
      .execute();
  });
  return accountById(storage.write, accountId);
};

const updateAccount = async (storage: Storage, accountId: string, change: Partial<AccountsTable>): Promise<Account> => {
  await changeAccess(storage, (trx) => trx.updateTable('accounts').set(change).where('id', '=', accountId).execute());
  return accountById(storage.write, accountId);
};

/** Sets the default refinement level of the account's requests; null restores full refinement. */
export const setRefinement = (storage: Storage, accountId: string, refinement: RefineLevel | null): Promise<Account> =>
  updateAccount(storage, accountId, { refinement });

/** Sets the redactions that apply to all requests of the account. */
export const setRedaction = (
  storage: Storage,
  accountId: string,
  redaction: readonly RedactionName[],
): Promise<Account> => updateAccount(storage, accountId, { redaction: redactionText(redaction) });

/** Sets the languages that the account's requests are limited to; empty: any. */
export const setLanguages = (storage: Storage, accountId: string, languages: readonly string[]): Promise<Account> =>
  updateAccount(storage, accountId, { languages: languagesText(languages) });

/** Throws CONFLICT if the name is no longer `before`. */
export const renameAccount = async (
  storage: Storage,
  accountId: string,
  { name, before }: { readonly name: string; readonly before: string },
): Promise<Account> => {
  const wanted = checkedName("The account's name", name).trim();
  await changeAccess(storage, async (trx) => {
    await lockNames(storage.engine, trx, ['account names']);
    const account = await accountById(trx, accountId);
    if (account.name !== before) throw changedMeanwhile(`The account is now named "${account.name}".`);
    const taken = await findAccount(trx, wanted);
    if (taken && taken.id !== accountId)
      throw new Fault('CONFLICT', { message: `An account named "${wanted}" already exists.` });
    await trx.updateTable('accounts').set({ name: wanted }).where('id', '=', accountId).execute();
  });
  return accountById(storage.write, accountId);
};

const checkUnchanged = (account: Account, before: LimitsChange): void => {
  if (LIMITS.some((limit) => before[limit] !== undefined && before[limit] !== account[limit]))
    throw changedMeanwhile('Open the limits again to see them.');
};

const checkLimit = (limit: keyof AccountLimits, value: number | null | undefined): void => {
  if (value === null || value === undefined) return;
  const [min, max] = LIMIT_RANGES[limit];
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Fault('INVALID_REQUEST', {
      message: `${LIMIT_NAMES[limit]} must be a whole number from ${min} to ${max}.`,
    });
};
