// Tells of budgets that come to an end: in the log, in the metrics, and to a webhook where there is one.
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { BudgetEvent } from './budget.ts';

export interface Told {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly webhook?: ((event: BudgetEvent) => void) | undefined;
}

const SENTENCE = { warning: 'a budget is nearly used up', 'used up': 'a budget is used up' } as const;

export const tellOfBudgets =
  ({ log, metrics, webhook }: Told) =>
  (event: BudgetEvent): void => {
    const { kind, opensAtMs, ...facts } = event;
    log.warn({ ...facts, opensAt: new Date(opensAtMs).toISOString() }, SENTENCE[kind]);
    const scope = event.keyId === null ? 'account' : 'key';
    metrics.budgetEvents.inc({ kind: kind === 'warning' ? 'warning' : 'used_up', scope, span: event.span });
    webhook?.(event);
  };
