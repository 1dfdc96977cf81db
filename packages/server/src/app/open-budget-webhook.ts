// Opens the webhook for budgets that are nearly or fully used up, if its address is set.
import { ulid } from 'ulid';
import { EventWebhook } from '../jobs/webhooks/event-webhook.ts';
import type { Signer } from '../jobs/webhooks/signer.ts';
import { PUBLIC_RECEIVERS } from '../jobs/webhooks/webhook-request.ts';
import type { BudgetEvent } from '../usage/budgets/budget.ts';
import type { Base } from './open-observability.ts';

export const openBudgetWebhook = (
  { config, overrides, lifecycle, log }: Base,
  signer: Signer,
): ((event: BudgetEvent) => void) | undefined => {
  const url = config.budgetWebhookUrl;
  if (url === undefined) return undefined;
  const rules = overrides.receivers ?? PUBLIC_RECEIVERS;
  const webhook = lifecycle.own('budget webhook', new EventWebhook({ url, signer, rules, log }));
  return (event) => webhook.send(ulid(), bodyOf(event));
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
