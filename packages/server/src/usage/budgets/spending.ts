// Counts usage rows against budgets in the transaction that writes them, so that budgets are exact across nodes.
import type { BudgetSpendingTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { billedIn } from './billed.ts';
import {
  type Budget,
  type BudgetEvent,
  type BudgetStop,
  counterKey,
  limitOf,
  longestStop,
  stopOf,
  toBudget,
} from './budget.ts';
import { endOf, periodOf, SPANS, type Span } from './period.ts';

interface Counter {
  readonly budget: Budget;
  readonly span: Span;
  readonly period: string;
  readonly limitMs: number;
  readonly beforeMs: number;
  readonly warnedAtMs: number | null;
  spentMs: number;
}

/** Requires the lock on the accounts' chain ends, so that no other node counts at the same time. */
export class Spending {
  readonly #budgets: readonly Budget[];
  readonly #counters = new Map<string, Counter>();

  private constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  static async load(
    trx: DatabaseTransaction,
    accountIds: readonly string[],
    rows: readonly UsageRow[],
  ): Promise<Spending> {
    if (accountIds.length === 0) return new Spending([]);
    const found = await trx.selectFrom('budgets').selectAll().where('account_id', 'in', accountIds).execute();
    const spending = new Spending(found.map(toBudget));
    await spending.#open(trx, accountIds, rows);
    return spending;
  }

  async #open(trx: DatabaseTransaction, accountIds: readonly string[], rows: readonly UsageRow[]): Promise<void> {
    const wanted = new Map<string, Omit<Counter, 'beforeMs' | 'spentMs' | 'warnedAtMs'>>();
    for (const row of rows)
      for (const { budget, span, limitMs } of this.#limits(row)) {
        const period = periodOf(span, row.created_at_ms);
        wanted.set(counterKey(budget.accountId, budget.keyId, period), { budget, span, limitMs, period });
      }
    if (wanted.size === 0) return;
    const periods = [...new Set([...wanted.values()].map(({ period }) => period))];
    const found = await trx
      .selectFrom('budget_spending')
      .selectAll()
      .where('account_id', 'in', accountIds)
      .where('period', 'in', periods)
      .execute();
    const stored = new Map(found.map((row) => [counterKey(row.account_id, row.key_id, row.period), row]));
    for (const [key, counter] of wanted) {
      const row = stored.get(key);
      // Without a stored counter, start from the daily sums, which include time billed before the budget existed.
      const spentMs = row?.billed_ms ?? (await billedIn(trx, counter.budget, counter.period));
      this.#counters.set(key, { ...counter, beforeMs: spentMs, spentMs, warnedAtMs: row?.warned_at_ms ?? null });
    }
  }

  #limits(row: UsageRow): { budget: Budget; span: Span; limitMs: number }[] {
    return this.#budgets
      .filter(({ accountId, keyId }) => accountId === row.account_id && (keyId === null || keyId === row.key_id))
      .flatMap((budget) =>
        SPANS.flatMap((span) => {
          const limitMs = limitOf(budget, span);
          return limitMs === null ? [] : [{ budget, span, limitMs }];
        }),
      );
  }

  #countersOf(row: UsageRow): Counter[] {
    return this.#limits(row).flatMap(
      ({ budget: { accountId, keyId }, span }) =>
        this.#counters.get(counterKey(accountId, keyId, periodOf(span, row.created_at_ms))) ?? [],
    );
  }

  /** The used-up budget that refuses this row, if any. */
  stopFor(row: UsageRow): BudgetStop | null {
    const stops = this.#countersOf(row)
      .filter(({ budget, spentMs, limitMs }) => budget.stops && spentMs >= limitMs)
      .map(({ budget, span, period }) => stopOf(budget, span, period));
    return longestStop(stops);
  }

  /** Adds a row (sign 1) or subtracts it (sign -1). */
  add(row: UsageRow, sign: 1 | -1 = 1): void {
    for (const counter of this.#countersOf(row)) counter.spentMs += sign * row.billed_ms;
  }

  /** Stores the counters. Returns the events to send after the commit. */
  async save(trx: DatabaseTransaction, nowMs: number): Promise<BudgetEvent[]> {
    const counters = [...this.#counters.values()];
    if (counters.length === 0) return [];
    await trx
      .insertInto('budget_spending')
      .values(counters.map((counter) => toRow(counter, nowMs)))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'key_id', 'period']).doUpdateSet(({ ref }) => ({
          billed_ms: ref('excluded.billed_ms'),
          warned_at_ms: ref('excluded.warned_at_ms'),
        })),
      )
      .execute();
    return counters.flatMap(eventsOf);
  }
}

const warnsAtMs = ({ budget, limitMs }: Counter): number => (limitMs * budget.warnPercent) / 100;

const toRow = (counter: Counter, nowMs: number): BudgetSpendingTable => ({
  account_id: counter.budget.accountId,
  key_id: counter.budget.keyId ?? '',
  period: counter.period,
  billed_ms: counter.spentMs,
  warned_at_ms: counter.warnedAtMs ?? (counter.spentMs >= warnsAtMs(counter) ? nowMs : null),
});

/** Only the transaction that crosses a threshold emits its event. */
const eventsOf = (counter: Counter): BudgetEvent[] => {
  const { budget, span, period, limitMs, beforeMs, spentMs, warnedAtMs } = counter;
  const event = {
    accountId: budget.accountId,
    keyId: budget.keyId,
    span,
    period,
    stops: budget.stops,
    limitSeconds: limitMs / 1000,
    spentSeconds: spentMs / 1000,
    opensAtMs: endOf(period),
  };
  const events: BudgetEvent[] = [];
  if (warnedAtMs === null && spentMs >= warnsAtMs(counter)) events.push({ kind: 'warning', ...event });
  if (beforeMs < limitMs && spentMs >= limitMs) events.push({ kind: 'used up', ...event });
  return events;
};
