// What a budget is: billed seconds that an account, or one of its keys, may use in a day and in a month.
import { Fault } from '../../lib/fault.ts';
import type { BudgetsTable } from '../../storage/schema/usage.ts';
import { endOf, type Span } from './period.ts';

export interface Subject {
  readonly accountId: string;
  /** Null: the account as a whole. */
  readonly keyId: string | null;
}

export interface Budget extends Subject {
  /** Whole milliseconds; null: no budget for that span. */
  readonly dayMs: number | null;
  readonly monthMs: number | null;
  /** At this part of a budget a warning is given. */
  readonly warnPercent: number;
  /** Whether requests are refused once it is used up. */
  readonly stops: boolean;
}

/** What happened to a budget: told once in its period. */
export interface BudgetEvent extends Subject {
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

/** A budget that is used up, and stops requests until its period is over. */
export interface Stop {
  readonly keyId: string | null;
  readonly span: Span;
  readonly opensAtMs: number;
}

export const stopOf = ({ keyId }: Subject, span: Span, period: string): Stop => ({
  keyId,
  span,
  opensAtMs: endOf(period),
});

/** Of several, the one that lasts longest. */
export const lastToOpen = (stops: readonly Stop[]): Stop | null =>
  stops.reduce<Stop | null>((last, stop) => (last && last.opensAtMs >= stop.opensAtMs ? last : stop), null);

export const budgetExceeded = ({ keyId, span, opensAtMs }: Stop, nowMs: number): Fault => {
  const whose = keyId === null ? 'The account' : 'The API key';
  const opensAt = new Date(opensAtMs).toISOString();
  return new Fault('BUDGET_EXCEEDED', {
    message: `${whose} has used up its budget for this ${span}. It opens again at ${opensAt}.`,
    opensAtMs,
    retryAfterSeconds: Math.max(1, Math.ceil((opensAtMs - nowMs) / 1000)),
  });
};
