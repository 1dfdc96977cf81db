// Budgets set, removed and listed, with what was spent of them.
import { changedMeanwhile } from '../../lib/edit-conflict.ts';
import { Fault } from '../../lib/fault.ts';
import { raiseAccessVersion } from '../../storage/access-version.ts';
import type { Storage } from '../../storage/open.ts';
import type { Database, DatabaseTransaction } from '../../storage/schema.ts';
import { PreChainDigest } from '../../storage/usage-hash.ts';
import { billedIn } from './billed.ts';
import { type Budget, limitOf, type Subject, toBudget } from './budget.ts';
import { periodOf, SPANS, type Span } from './period.ts';

export interface BudgetWish {
  /** Whole seconds; null: no budget for that span. */
  readonly daySeconds: number | null;
  readonly monthSeconds: number | null;
  readonly warnPercent: number;
  readonly stops: boolean;
}

export interface BudgetListing extends Budget {
  /** Of the current day and month, whether or not there is a budget for it. */
  readonly spentMs: Readonly<Record<Span, number>>;
}

export const WARN_PERCENT_DEFAULT = 80;
/** A hundred years of audio in a day. */
const SECONDS_MAX = 3_000_000_000;

const checked = (what: string, value: number | null, max: number): void => {
  if (value !== null && !(Number.isSafeInteger(value) && value >= 0 && value <= max))
    throw new Fault('INVALID_REQUEST', { message: `${what} must be a whole number from 0 to ${max}.` });
};

/**
 * Null removes the budget. With `before`, nothing is changed when it is another now. Holds for new requests within a second, and for those that end from now
 * on at once.
 */
export const setBudget = async (
  storage: Storage,
  subject: Subject,
  wish: BudgetWish | null,
  nowMs = Date.now(),
  before?: BudgetWish | null,
): Promise<void> => {
  if (wish !== null) {
    checked('The seconds of a day', wish.daySeconds, SECONDS_MAX);
    checked('The seconds of a month', wish.monthSeconds, SECONDS_MAX);
    checked('The percentage of the warning', wish.warnPercent, 100);
    if (wish.daySeconds === null && wish.monthSeconds === null)
      throw new Fault('INVALID_REQUEST', { message: 'A budget needs seconds for a day, for a month or for both.' });
  }
  const { accountId } = subject;
  const keyId = subject.keyId ?? '';
  await storage.write.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    if (before !== undefined) await checkUnchanged(trx, subject, before);
    await trx.deleteFrom('budgets').where('account_id', '=', accountId).where('key_id', '=', keyId).execute();
    await trx.deleteFrom('budget_spending').where('account_id', '=', accountId).where('key_id', '=', keyId).execute();
    if (wish !== null) await insertBudget(trx, subject, wish, nowMs);
    else await unmarkAccount(trx, accountId);
    await raiseAccessVersion(trx);
  });
};

const checkUnchanged = async (
  trx: DatabaseTransaction,
  { accountId, keyId }: Subject,
  before: BudgetWish | null,
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

/** Marks the account as one with budgets. No row of it is counted until this transaction ends. */
const lockAccount = async (trx: DatabaseTransaction, accountId: string): Promise<void> => {
  const hash = new PreChainDigest(accountId).hash();
  await trx
    .insertInto('usage_chains')
    .values({ account_id: accountId, seq: 0, hash, first_hash: hash, sealed_rows: 0, has_budgets: 1 })
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
  { accountId, keyId }: Subject,
  { daySeconds, monthSeconds, warnPercent, stops }: BudgetWish,
  nowMs: number,
): Promise<void> => {
  const row = {
    ...{ account_id: accountId, key_id: keyId ?? '', warn_percent: warnPercent, stops: stops ? 1 : 0 },
    day_ms: milliseconds(daySeconds),
    month_ms: milliseconds(monthSeconds),
  };
  await trx.insertInto('budgets').values(row).execute();
  const budget = toBudget(row);
  for (const span of SPANS) {
    const [limitMs, period] = [limitOf(budget, span), periodOf(span, nowMs)];
    if (limitMs === null) continue;
    const billed_ms = await billedIn(trx, budget, period);
    // Whoever sets a budget is shown what was spent of it already; that is no news.
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

/** How much of the limits of a budget is used: the higher of day and month; 1 is all of it. */
export const usedShare = (listing: BudgetListing): number =>
  Math.max(
    0,
    ...SPANS.flatMap((span) => {
      const limitMs = limitOf(listing, span);
      return limitMs === null ? [] : [limitMs === 0 ? 1 : listing.spentMs[span] / limitMs];
    }),
  );
