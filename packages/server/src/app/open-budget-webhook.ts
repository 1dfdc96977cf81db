// Part of the composition root: budgets that come to an end are told to the operator's webhook, where there is one.
import { ulid } from 'ulid';
import { EventWebhook } from '../jobs/webhooks/event-webhook.ts';
import type { Signer } from '../jobs/webhooks/signer.ts';
import { PUBLIC_RECEIVERS, type ReceiverRules } from '../jobs/webhooks/webhook-request.ts';
import type { Log } from '../observability/log.ts';
import type { BudgetEvent } from '../usage/budgets/budget.ts';
import type { UsageSettings } from '../usage/settings.ts';

export interface BudgetWebhook {
  send(event: BudgetEvent): void;
  close(): Promise<void>;
}

export const openBudgetWebhook = (
  { budgetWebhookUrl: url }: UsageSettings,
  {
    signer,
    log,
    rules = PUBLIC_RECEIVERS,
  }: { readonly signer: Signer; readonly log: Log; readonly rules?: ReceiverRules | undefined },
): BudgetWebhook | undefined => {
  if (url === undefined) return undefined;
  const webhook = new EventWebhook({ url, signer, rules, log });
  return { send: (event) => webhook.send(ulid(), bodyOf(event)), close: () => webhook.close() };
};

const bodyOf = (event: BudgetEvent) => ({
  type: event.kind === 'warning' ? 'budget.warning' : 'budget.used_up',
  sent_at: new Date().toISOString(),
  budget: {
    account_id: event.accountId,
    key_id: event.keyId,
    span: event.span,
    period: event.period,
    limit_seconds: event.limitSeconds,
    spent_seconds: event.spentSeconds,
    stops: event.stops,
    opens_at: new Date(event.opensAtMs).toISOString(),
  },
});
