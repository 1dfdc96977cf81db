// Sets, removes and lists budgets.
import { changedMeanwhile } from '../../lib/edit-conflict.ts';
import { Fault } from '../../lib/fault.ts';
import { raiseAccessVersion } from '../../storage/access-version.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { newEnd } from '../chain/ends.ts';
import { billedIn } from './billed.ts';
import { type Budget, type BudgetScope, limitOf, toBudget } from './budget.ts';
import { periodOf, SPANS, type Span } from './period.ts';

export interface BudgetInput {
  /** Whole seconds; null: no budget for that span. */
  readonly daySeconds: number | null;
  readonly monthSeconds: number | null;
  readonly warnPercent: number;
  readonly stops: boolean;
}

export interface BudgetListing extends Budget {
  /** Billed in the current day and month, even without a budget for that span. */
  readonly spentMs: Readonly<Record<Span, number>>;
}

export const WARN_PERCENT_DEFAULT = 80;
/** A hundred years of audio in a day. */
const SECONDS_MAX = 3_000_000_000;

const checkRange = (what: string, value: number | null, max: number): void => {
  if (value !== null && !(Number.isSafeInteger(value) && value >= 0 && value <= max))
    throw new Fault('INVALID_REQUEST', { message: `${what} must be a whole number from 0 to ${max}.` });
};

/**
 * Null removes the budget. With `before`, fails with a conflict if the budget has changed since. Affects requests that
 * end from now on at once, and new requests within a second.
 */
export const setBudget = async (
  storage: Storage,
  scope: BudgetScope,
  input: BudgetInput | null,
  nowMs = Date.now(),
  before?: BudgetInput | null,
): Promise<void> => {
  if (input !== null) {
    checkRange('The seconds per day', input.daySeconds, SECONDS_MAX);
    checkRange('The seconds per month', input.monthSeconds, SECONDS_MAX);
    checkRange('The warning percentage', input.warnPercent, 100);
    if (input.daySeconds === null && input.monthSeconds === null)
      throw new Fault('INVALID_REQUEST', { message: 'A budget needs seconds per day, per month or both.' });
    if (input.daySeconds !== null && input.monthSeconds !== null && input.daySeconds > input.monthSeconds)
      throw new Fault('INVALID_REQUEST', { message: 'A day cannot have more seconds than its month.' });
  }
  const { accountId } = scope;
  const keyId = scope.keyId ?? '';
  await storage.write.transaction().execute(async (trx) => {
    await markAccount(trx, accountId);
    if (before !== undefined) await checkUnchanged(trx, scope, before);
    await trx.deleteFrom('budgets').where('account_id', '=', accountId).where('key_id', '=', keyId).execute();
    await trx.deleteFrom('budget_spending').where('account_id', '=', accountId).where('key_id', '=', keyId).execute();
    if (input !== null) await insertBudget(trx, scope, input, nowMs);
    else await unmarkAccount(trx, accountId);
    await raiseAccessVersion(trx);
  });
};

const checkUnchanged = async (
  trx: DatabaseTransaction,
  { accountId, keyId }: BudgetScope,
  before: BudgetInput | null,
): Promise<void> => {
  const row = await trx
    .selectFrom('budgets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key_id', '=', keyId ?? '')
    .executeTakeFirst();
  const now = row ? toBudget(row) : null;
  const isSame =
    now === null || before === null
      ? now === before
      : now.dayMs === milliseconds(before.daySeconds) &&
        now.monthMs === milliseconds(before.monthSeconds) &&
        now.warnPercent === before.warnPercent &&
        now.stops === before.stops;
  if (!isSame) throw changedMeanwhile('Open the budget again to see it.');
};

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

/** Marks the account as having budgets. The row lock blocks its ledger until this transaction ends. */
const markAccount = async (trx: DatabaseTransaction, accountId: string): Promise<void> => {
  await trx
    .insertInto('usage_chains')
    .values({ ...newEnd(accountId), has_budgets: 1 })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ has_budgets: 1 }))
    .execute();
};

const unmarkAccount = async (trx: DatabaseTransaction, accountId: string): Promise<void> => {
  const left = await trx.selectFrom('budgets').select('key_id').where('account_id', '=', accountId).executeTakeFirst();
  if (left) return;
  await trx.updateTable('usage_chains').set({ has_budgets: 0 }).where('account_id', '=', accountId).execute();
};

const insertBudget = async (
  trx: DatabaseTransaction,
  { accountId, keyId }: BudgetScope,
  { daySeconds, monthSeconds, warnPercent, stops }: BudgetInput,
  nowMs: number,
): Promise<void> => {
  const row = {
    account_id: accountId,
    key_id: keyId ?? '',
    warn_percent: warnPercent,
    stops: stops ? 1 : 0,
    day_ms: milliseconds(daySeconds),
    month_ms: milliseconds(monthSeconds),
  };
  await trx.insertInto('budgets').values(row).execute();
  const budget = toBudget(row);
  for (const span of SPANS) {
    const [limitMs, period] = [limitOf(budget, span), periodOf(span, nowMs)];
    if (limitMs === null) continue;
    const billed_ms = await billedIn(trx, budget, period);
    // No warning for time that was billed before: the person who sets the budget sees it.
    const warned_at_ms = billed_ms >= (limitMs * warnPercent) / 100 ? nowMs : null;
    await trx
      .insertInto('budget_spending')
      .values({ account_id: accountId, key_id: keyId ?? '', period, billed_ms, warned_at_ms })
      .execute();
  }
};

export const listBudgets = async (db: Database, accountId: string, nowMs = Date.now()): Promise<BudgetListing[]> => {
  const rows = await db
    .selectFrom('budgets')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('key_id')
    .execute();
  return Promise.all(
    rows.map(toBudget).map(async (budget) => {
      const [day, month] = await Promise.all(SPANS.map((span) => billedIn(db, budget, periodOf(span, nowMs))));
      return { ...budget, spentMs: { day: day!, month: month! } };
    }),
  );
};

/** The used share of a budget, from 0: the higher of day and month. */
export const usedShare = (listing: BudgetListing): number =>
  Math.max(
    0,
    ...SPANS.flatMap((span) => {
      const limitMs = limitOf(listing, span);
      return limitMs === null ? [] : [limitMs === 0 ? 1 : listing.spentMs[span] / limitMs];
    }),
  );
