// Counts rows against budgets within the transaction that writes them: exact over all nodes, one row after the other.
import type { BudgetSpendingTable, UsageRow } from '../../storage/schema/usage.ts';
import type { DatabaseTransaction } from '../../storage/schema.ts';
import { billedIn } from './billed.ts';
import { type Budget, type BudgetEvent, lastToOpen, limitOf, type Stop, stopOf, toBudget } from './budget.ts';
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

/** Whoever uses this holds the ends of these accounts' chains, so that no other node counts meanwhile. */
export class Spending {
  readonly #budgets: readonly Budget[];
  readonly #counters = new Map<string, Counter>();

  private constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  /** The counters for these rows, as they were before them. */
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
        wanted.set(placeOf(budget, period), { budget, span, limitMs, period });
      }
    if (wanted.size === 0) return;
    const periods = [...new Set([...wanted.values()].map(({ period }) => period))];
    const found = await trx
      .selectFrom('budget_spending')
      .selectAll()
      .where('account_id', 'in', accountIds)
      .where('period', 'in', periods)
      .execute();
    const known = new Map(found.map((row) => [[row.account_id, row.key_id, row.period].join('\n'), row]));
    for (const [place, counter] of wanted) {
      const row = known.get(place);
      // The first row of a day or month: the sums know what was billed in it before there was a budget.
      const spentMs = row?.billed_ms ?? (await billedIn(trx, counter.budget, counter.period));
      this.#counters.set(place, { ...counter, beforeMs: spentMs, spentMs, warnedAtMs: row?.warned_at_ms ?? null });
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
      ({ budget, span }) => this.#counters.get(placeOf(budget, periodOf(span, row.created_at_ms))) ?? [],
    );
  }

  /** What stands against a row that is to be billed: a budget that was used up before it. */
  against(row: UsageRow): Stop | null {
    const stops = this.#countersOf(row)
      .filter(({ budget, spentMs, limitMs }) => budget.stops && spentMs >= limitMs)
      .map(({ budget, span, period }) => stopOf(budget, span, period));
    return lastToOpen(stops);
  }

  /** Counts a row (sign 1), or takes it back (sign -1). */
  add(row: UsageRow, sign: 1 | -1 = 1): void {
    for (const counter of this.#countersOf(row)) counter.spentMs += sign * row.billed_ms;
  }

  /** Writes what was counted; returns what is to be told once it is durable. */
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

const placeOf = ({ accountId, keyId }: Budget, period: string): string => [accountId, keyId ?? '', period].join('\n');

const warnsAtMs = ({ budget, limitMs }: Counter): number => (limitMs * budget.warnPercent) / 100;

const toRow = (counter: Counter, nowMs: number): BudgetSpendingTable => ({
  account_id: counter.budget.accountId,
  key_id: counter.budget.keyId ?? '',
  period: counter.period,
  billed_ms: counter.spentMs,
  warned_at_ms: counter.warnedAtMs ?? (counter.spentMs >= warnsAtMs(counter) ? nowMs : null),
});

/** The one transaction that passes a threshold tells of it; a row that is withdrawn and billed anew is not told twice. */
const eventsOf = (counter: Counter): BudgetEvent[] => {
  const { budget, span, period, limitMs, beforeMs, spentMs, warnedAtMs } = counter;
  const event = {
    ...{ accountId: budget.accountId, keyId: budget.keyId, span, period, stops: budget.stops },
    ...{ limitSeconds: limitMs / 1000, spentSeconds: spentMs / 1000, opensAtMs: endOf(period) },
  };
  const events: BudgetEvent[] = [];
  if (warnedAtMs === null && spentMs >= warnsAtMs(counter)) events.push({ kind: 'warning', ...event });
  if (beforeMs < limitMs && spentMs >= limitMs) events.push({ kind: 'used up', ...event });
  return events;
};
