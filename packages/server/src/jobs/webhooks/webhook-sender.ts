// Sends due webhooks, with a limit per account so that a slow receiver delays only its own account.
import { unseal } from '../../lib/sealed.ts';
import type { Log } from '../../observability/log.ts';
import { PURPOSES, readRequest } from '../job.ts';
import { jobBody } from '../job-body.ts';
import { WorkLoop } from '../work-loop.ts';
import type { Signer } from './signer.ts';
import { type ReceiverRules, sendWebhook, type WebhookMessage } from './webhook-request.ts';
import type { DueWebhook, WebhookTable } from './webhook-table.ts';

export interface WebhookSenderParts {
  readonly table: WebhookTable;
  readonly signer: Signer;
  readonly rules: ReceiverRules;
  readonly secret: string;
  readonly log: Log;
}

const CONCURRENCY = 16;
const CONCURRENCY_PER_ACCOUNT = 2;

export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #loop: WorkLoop<DueWebhook>;
  readonly #sendingByAccount = new Map<string, number>();
  readonly #stop = new AbortController();

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
    const { table, log } = parts;
    this.#loop = new WorkLoop<DueWebhook>({
      concurrency: CONCURRENCY,
      claim: () => table.claim(this.#busyAccounts()),
      run: (due) => this.#sendCounted(due),
      onPollFailure: (err) => log.warn({ err }, 'reading due webhooks failed'),
      onRunFailure: (err, due) => log.warn({ err, requestId: due.job.id }, 'storing a webhook delivery failed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async close(): Promise<void> {
    await this.#loop.stop();
    this.#stop.abort();
    await this.#loop.idle();
  }

  #busyAccounts(): string[] {
    return [...this.#sendingByAccount].flatMap(([id, count]) => (count >= CONCURRENCY_PER_ACCOUNT ? id : []));
  }

  async #sendCounted(due: DueWebhook): Promise<void> {
    const { accountId } = due.job;
    this.#sendingByAccount.set(accountId, (this.#sendingByAccount.get(accountId) ?? 0) + 1);
    try {
      await this.#send(due);
    } finally {
      const left = this.#sendingByAccount.get(accountId)! - 1;
      if (left > 0) this.#sendingByAccount.set(accountId, left);
      else this.#sendingByAccount.delete(accountId);
    }
  }

  async #send(due: DueWebhook): Promise<void> {
    const { table, signer, rules, log } = this.#parts;
    const delivery = await sendWebhook(this.#messageOf(due), { signer, rules, signal: this.#stop.signal });
    if (this.#stop.signal.aborted && delivery.kind === 'failed') return;
    if (delivery.kind === 'failed')
      log.info(
        { requestId: due.job.id, attempts: due.attempts, reason: delivery.reason },
        'a webhook was not delivered',
      );
    await table.recordDelivery(due, delivery);
  }

  #messageOf({ job, sealedRequest, sealedWebhook }: DueWebhook): WebhookMessage {
    const { secret } = this.#parts;
    const { id } = job;
    const { webhookUrl } = readRequest(secret, { id, sealedRequest });
    const result = sealedWebhook && JSON.parse(unseal(secret, PURPOSES.webhook(id), sealedWebhook).toString('utf8'));
    const payload = { type: `job.${job.state}`, sent_at: new Date().toISOString(), ...jobBody(job, result) };
    return { owner: job.accountId, url: webhookUrl!, id, payload };
  }
}
