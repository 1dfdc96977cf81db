// Events for one receiver: one after the other, tried again for a day, kept in memory and bounded.

import { pause } from '../../lib/time/pause.ts';
import type { Log } from '../../observability/log.ts';
import type { Signer } from './signer.ts';
import { type ReceiverRules, sendWebhook, type WebhookMessage } from './webhook-request.ts';

export interface EventWebhookParts {
  readonly url: string;
  readonly signer: Signer;
  readonly rules: ReceiverRules;
  readonly log: Log;
  /** How long the first pause before another try is; each is twice as long as the one before. */
  readonly backOffMsMin?: number;
}

const WAITING_MAX = 1_000;
const TRIED_FOR_MS = 24 * 60 * 60_000;
const BACK_OFF_MS = { min: 5_000, max: 60 * 60_000 } as const;

export class EventWebhook {
  readonly #parts: EventWebhookParts;
  readonly #waiting: (WebhookMessage & { readonly untilMs: number })[] = [];
  readonly #stop = new AbortController();
  #sending: Promise<void> | undefined;

  constructor(parts: EventWebhookParts) {
    this.#parts = parts;
  }

  /** Beyond the bound the oldest is let go: the newest says more of how things stand. */
  send(id: string, payload: object): void {
    if (this.#stop.signal.aborted) return;
    this.#waiting.push({
      owner: 'operator',
      id,
      payload,
      url: this.#parts.url,
      untilMs: performance.now() + TRIED_FOR_MS,
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
      for (let attempts = 0; !(await this.#isSettled(message)); attempts++) await this.#pause(attempts);
  }

  async #isSettled(message: WebhookMessage & { readonly untilMs: number }): Promise<boolean> {
    const { signer, rules, log } = this.#parts;
    const delivery = await sendWebhook(message, { signer, rules, signal: this.#stop.signal });
    if (delivery.kind === 'delivered' || this.#stop.signal.aborted) return true;
    const isOver = delivery.isFinal || performance.now() > message.untilMs;
    const { id } = message;
    log.warn({ id, reason: delivery.reason }, isOver ? 'a webhook was given up' : 'a webhook was not delivered yet');
    return isOver;
  }

  #pause(attempts: number): Promise<void> {
    const min = this.#parts.backOffMsMin ?? BACK_OFF_MS.min;
    const delayMs = Math.min(BACK_OFF_MS.max, min * 2 ** attempts) * (0.5 + Math.random() / 2);
    return pause(delayMs, this.#stop.signal);
  }
}
