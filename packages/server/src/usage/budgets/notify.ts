// Reports budget events to the log, the metrics and an optional webhook.
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { BudgetEvent } from './budget.ts';

export interface BudgetEventTargets {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly webhook?: ((event: BudgetEvent) => void) | undefined;
}

const LOG_MESSAGES = { warning: 'a budget is nearly used up', 'used up': 'a budget is used up' } as const;

export const budgetNotifier =
  ({ log, metrics, webhook }: BudgetEventTargets) =>
  (event: BudgetEvent): void => {
    const { kind, opensAtMs, ...facts } = event;
    log.warn({ ...facts, opensAt: new Date(opensAtMs).toISOString() }, LOG_MESSAGES[kind]);
    const scope = event.keyId === null ? 'account' : 'key';
    metrics.budgetEvents.inc({ kind: kind === 'warning' ? 'warning' : 'used_up', scope, span: event.span });
    webhook?.(event);
  };
