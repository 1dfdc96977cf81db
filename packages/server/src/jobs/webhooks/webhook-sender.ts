// Sends the webhooks that are due: a few at a time, and few of one account, so that a slow receiver delays its own only.

import { unseal } from '../../lib/sealed.ts';
import type { Log } from '../../observability/log.ts';
import { type JobRequest, PURPOSES } from '../job.ts';
import { jobBody } from '../job-body.ts';
import type { Signer } from './signer.ts';
import { type ReceiverRules, sendWebhook, type WebhookMessage } from './webhook-request.ts';
import type { DueWebhook, WebhookTable } from './webhook-table.ts';

export interface WebhookSenderParts {
  readonly table: WebhookTable;
  readonly signer: Signer;
  readonly rules: ReceiverRules;
  readonly secret: string;
  readonly log: Log;
  readonly pollMs?: number;
}

const POLL_MS = 1_000;
const SENDING_MAX = 16;
const SENDING_PER_ACCOUNT_MAX = 2;

export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #byAccount = new Map<string, number>();
  readonly #sending = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #state: 'idle' | 'open' | 'closed' = 'idle';
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #wanted = false;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'open';
    this.wake();
  }

  wake(): void {
    if (this.#state !== 'open') return;
    this.#wanted = true;
    clearTimeout(this.#timer);
    this.#turn ??= this.#look().finally(() => {
      this.#turn = undefined;
      if (this.#wanted) this.wake();
      else if (this.#state === 'open')
        this.#timer = setTimeout(() => this.wake(), this.#parts.pollMs ?? POLL_MS).unref();
    });
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#timer);
    await this.#turn;
    this.#stop.abort();
    await Promise.all(this.#sending);
  }

  async #look(): Promise<void> {
    this.#wanted = false;
    try {
      while (this.#sending.size < SENDING_MAX && this.#state === 'open') {
        const busy = [...this.#byAccount].filter(([, count]) => count >= SENDING_PER_ACCOUNT_MAX);
        const due = await this.#parts.table.take(busy.map(([accountId]) => accountId));
        if (due === null) return;
        this.#begin(due);
      }
    } catch (err) {
      this.#parts.log.warn({ err }, 'due webhooks cannot be read');
    }
  }

  #begin(due: DueWebhook): void {
    const { accountId } = due.job;
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
    const sending = this.#send(due)
      .catch((err) => this.#parts.log.warn({ err, requestId: due.job.id }, 'a webhook was not settled'))
      .finally(() => {
        this.#sending.delete(sending);
        const left = this.#byAccount.get(accountId)! - 1;
        if (left > 0) this.#byAccount.set(accountId, left);
        else this.#byAccount.delete(accountId);
        this.wake();
      });
    this.#sending.add(sending);
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
    await table.settle(due, delivery);
  }

  #messageOf({ job, sealedRequest, sealedWebhook }: DueWebhook): WebhookMessage {
    const { secret } = this.#parts;
    const { id } = job;
    const request: JobRequest = JSON.parse(unseal(secret, PURPOSES.request(id), sealedRequest).toString('utf8'));
    const result = sealedWebhook && JSON.parse(unseal(secret, PURPOSES.webhook(id), sealedWebhook).toString('utf8'));
    const payload = { type: `job.${job.state}`, sent_at: new Date().toISOString(), ...jobBody(job, result) };
    return { owner: job.accountId, url: request.webhookUrl!, id, payload };
  }
}
