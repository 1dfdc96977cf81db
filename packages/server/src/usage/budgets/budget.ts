// Budgets: the billed seconds that an account or key may use per day and per month.
import { Fault } from '../../lib/fault.ts';
import type { BudgetsTable } from '../../storage/schema/usage.ts';
import { endOf, type Span } from './period.ts';

export interface BudgetScope {
  readonly accountId: string;
  /** Null: the whole account. */
  readonly keyId: string | null;
}

export interface Budget extends BudgetScope {
  /** Null: no budget for that span. */
  readonly dayMs: number | null;
  readonly monthMs: number | null;
  readonly warnPercent: number;
  /** Whether requests are refused once the budget is used up. */
  readonly stops: boolean;
}

/** Sent once per threshold and period. */
export interface BudgetEvent extends BudgetScope {
  readonly kind: 'warning' | 'used up';
  readonly span: Span;
  readonly period: string;
  readonly limitSeconds: number;
  readonly spentSeconds: number;
  readonly stops: boolean;
  readonly opensAtMs: number;
}

export const toBudget = (row: BudgetsTable): Budget => ({
  accountId: row.account_id,
  keyId: row.key_id || null,
  dayMs: row.day_ms,
  monthMs: row.month_ms,
  warnPercent: row.warn_percent,
  stops: row.stops === 1,
});

export const limitOf = (budget: Budget, span: Span): number | null => (span === 'day' ? budget.dayMs : budget.monthMs);

/** Identifies what was billed in a period. `keyId`: null or empty for the whole account. */
export const counterKey = (accountId: string, keyId: string | null, period: string): string =>
  [accountId, keyId ?? '', period].join('\n');

/** A used-up budget that refuses requests until its period ends. */
export interface BudgetStop {
  readonly keyId: string | null;
  readonly span: Span;
  readonly opensAtMs: number;
}

export const stopOf = ({ keyId }: BudgetScope, span: Span, period: string): BudgetStop => ({
  keyId,
  span,
  opensAtMs: endOf(period),
});

/** The stop that lasts longest. */
export const longestStop = (stops: readonly BudgetStop[]): BudgetStop | null =>
  stops.reduce<BudgetStop | null>((last, stop) => (last && last.opensAtMs >= stop.opensAtMs ? last : stop), null);

export const budgetExceeded = ({ keyId, span, opensAtMs }: BudgetStop, nowMs: number): Fault => {
  const whose = keyId === null ? 'The account' : 'The API key';
  const opensAt = new Date(opensAtMs).toISOString();
  return new Fault('BUDGET_EXCEEDED', {
    message: `${whose} has used up its budget for this ${span}. It opens again at ${opensAt}.`,
    opensAtMs,
    retryAfterSeconds: Math.max(1, Math.ceil((opensAtMs - nowMs) / 1000)),
  });
};
