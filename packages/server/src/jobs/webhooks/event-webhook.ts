// Sends events to the operator's webhook, in order, with retries for a day. Keeps a bounded queue in memory.
import { pause } from '../../lib/time/pause.ts';
import type { Log } from '../../observability/log.ts';
import { type BackOff, backOffMs } from '../back-off.ts';
import type { Signer } from './signer.ts';
import { type ReceiverRules, sendWebhook, type WebhookMessage } from './webhook-request.ts';

export interface EventWebhookParts {
  readonly url: string;
  readonly signer: Signer;
  readonly rules: ReceiverRules;
  readonly log: Log;
  readonly backOff?: BackOff;
}

const WAITING_MAX = 1_000;
const RETRY_FOR_MS = 24 * 60 * 60_000;
const BACK_OFF: BackOff = { minMs: 5_000, maxMs: 60 * 60_000 };

export class EventWebhook {
  readonly #parts: EventWebhookParts;
  readonly #waiting: (WebhookMessage & { readonly untilMs: number })[] = [];
  readonly #stop = new AbortController();
  #sending: Promise<void> | undefined;

  constructor(parts: EventWebhookParts) {
    this.#parts = parts;
  }

  /** If the queue is full, drops the oldest event. */
  send(id: string, payload: object): void {
    if (this.#stop.signal.aborted) return;
    this.#waiting.push({
      owner: 'operator',
      id,
      payload,
      url: this.#parts.url,
      untilMs: performance.now() + RETRY_FOR_MS,
    });
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift();
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#stop;
    for (let message = this.#waiting.shift(); message && !signal.aborted; message = this.#waiting.shift())
      for (let attempt = 1; !(await this.#trySend(message)); attempt++)
        await pause(backOffMs(this.#parts.backOff ?? BACK_OFF, attempt), signal);
  }

  /** False if the message should be sent again. */
  async #trySend(message: WebhookMessage & { readonly untilMs: number }): Promise<boolean> {
    const { signer, rules, log } = this.#parts;
    const delivery = await sendWebhook(message, { signer, rules, signal: this.#stop.signal });
    if (delivery.kind === 'delivered' || this.#stop.signal.aborted) return true;
    const isOver = delivery.isFinal || performance.now() > message.untilMs;
    const { id } = message;
    log.warn({ id, reason: delivery.reason }, isOver ? 'a webhook was abandoned' : 'a webhook will be retried');
    return isOver;
  }
}
