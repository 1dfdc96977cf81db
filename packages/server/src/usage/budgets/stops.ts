// Reads which accounts and keys have used up their budgets.
import type { Database } from '../../storage/schema.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { type Budget, type BudgetStop, counterKey, limitOf, longestStop, stopOf, toBudget } from './budget.ts';
import { periodOf, SPANS } from './period.ts';

export interface BudgetStatus {
  /** Null: no budget is used up. */
  readonly stop: BudgetStop | null;
}

const stoppingBudgets = async (db: Database, accountIds: readonly string[]): Promise<Budget[]> => {
  const rows = await db
    .selectFrom('budgets')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .where('stops', '=', 1)
    .execute();
  return rows.map(toBudget);
};

/** Returns a function that gives the status of a key; null if no budget can refuse its requests. */
export const budgetStatuses = async (
  db: Database,
  accountIds: readonly string[],
  nowMs: number,
): Promise<(key: { readonly accountId: string; readonly keyId: string }) => BudgetStatus | null> => {
  const budgets = accountIds.length === 0 ? [] : await stoppingBudgets(db, accountIds);
  if (budgets.length === 0) return () => null;
  const periods = SPANS.map((span) => periodOf(span, nowMs));
  const rows = await db
    .selectFrom('budget_spending')
    .select(['account_id', 'key_id', 'period', 'billed_ms'])
    .where('account_id', 'in', accountIds)
    .where('period', 'in', periods)
    .execute();
  const spent = new Map(rows.map((row) => [counterKey(row.account_id, row.key_id, row.period), row.billed_ms]));
  return ({ accountId, keyId }) => {
    const own = budgets.filter((budget) => budget.accountId === accountId && (budget.keyId ?? keyId) === keyId);
    if (own.length === 0) return null;
    const stops = own.flatMap((budget) =>
      SPANS.flatMap((span, at) => {
        const limitMs = limitOf(budget, span);
        const spentMs = spent.get(counterKey(accountId, budget.keyId, periods[at]!)) ?? 0;
        return limitMs !== null && spentMs >= limitMs ? [stopOf(budget, span, periods[at]!)] : [];
      }),
    );
    return { stop: longestStop(stops) };
  };
};

export const readBudgetStatus = async (
  db: Database,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  nowMs: number,
): Promise<BudgetStatus | null> =>
  orUnavailable(budgetStatuses(db, [accountId], nowMs)).then((statusOf) => statusOf({ accountId, keyId }));
