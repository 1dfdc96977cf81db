// Which accounts and keys are stopped now: read with the keys, and once more where a stream is about to open.

import type { Database } from '../../storage/schema.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { type Budget, lastToOpen, limitOf, type Stop, stopOf, toBudget } from './budget.ts';
import { periodOf, SPANS } from './period.ts';

/** What a principal knows of its budgets; null when none of them stops anything. */
export interface KnownBudget {
  /** Until then every request is refused; null: none is used up. */
  readonly stop: Stop | null;
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

/** By account, a way to tell of each of its keys what it may still do. */
export const knownBudgets = async (
  db: Database,
  accountIds: readonly string[],
  nowMs: number,
): Promise<(subject: { readonly accountId: string; readonly keyId: string }) => KnownBudget | null> => {
  const budgets = accountIds.length === 0 ? [] : await stoppingBudgets(db, accountIds);
  if (budgets.length === 0) return () => null;
  const periods = SPANS.map((span) => periodOf(span, nowMs));
  const rows = await db
    .selectFrom('budget_spending')
    .select(['account_id', 'key_id', 'period', 'billed_ms'])
    .where('account_id', 'in', accountIds)
    .where('period', 'in', periods)
    .execute();
  const spent = new Map(rows.map((row) => [[row.account_id, row.key_id, row.period].join('\n'), row.billed_ms]));
  return ({ accountId, keyId }) => {
    const own = budgets.filter((budget) => budget.accountId === accountId && (budget.keyId ?? keyId) === keyId);
    if (own.length === 0) return null;
    const stops = own.flatMap((budget) =>
      SPANS.flatMap((span, at) => {
        const limitMs = limitOf(budget, span);
        const spentMs = spent.get([accountId, budget.keyId ?? '', periods[at]].join('\n')) ?? 0;
        return limitMs !== null && spentMs >= limitMs ? [stopOf(budget, span, periods[at]!)] : [];
      }),
    );
    return { stop: lastToOpen(stops) };
  };
};

/** Of one caller, as it is now. */
export const readBudget = async (
  db: Database,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  nowMs: number,
): Promise<KnownBudget | null> =>
  orUnavailable(knownBudgets(db, [accountId], nowMs)).then((of) => of({ accountId, keyId }));
