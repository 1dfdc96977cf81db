// Webhooks that are due, in the table of jobs: one process sends each, and what a dead one left is sent again.
import { sql } from 'kysely';
import { databaseNowMs } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import { type JobListing, LISTED_COLUMNS, listingOf } from '../job.ts';
import type { Delivery } from './webhook-request.ts';

/** Longer than one try takes, redirects included. A process that dies within it leaves the webhook to others. */
const SENDING_MS = 120_000;
const BACK_OFF_MS = { min: 10_000, max: 60 * 60_000 } as const;

export interface DueWebhook {
  readonly job: JobListing;
  readonly sealedRequest: Uint8Array;
  readonly sealedWebhook: Uint8Array | null;
  readonly attempts: number;
}

export class WebhookTable {
  readonly #storage: Storage;
  readonly #random: () => number;

  constructor(storage: Storage, random: () => number = Math.random) {
    this.#storage = storage;
    this.#random = random;
  }

  /** The one that has been due longest, of an account that is not among the busy ones. */
  take(busyAccounts: readonly string[]): Promise<DueWebhook | null> {
    const { engine, write } = this.#storage;
    const nowMs = databaseNowMs(engine);
    return write.transaction().execute(async (trx) => {
      const next = await trx
        .selectFrom('jobs')
        .select('id')
        .where('webhook_state', '=', 'due')
        .where('webhook_due_at_ms', '<=', nowMs)
        .$if(busyAccounts.length > 0, (select) => select.where('account_id', 'not in', busyAccounts))
        .orderBy('webhook_due_at_ms')
        .limit(1)
        .$if(engine === 'postgres', (select) => select.forUpdate().skipLocked())
        .executeTakeFirst();
      if (!next) return null;
      const row = await trx
        .updateTable('jobs')
        .set(({ eb }) => ({
          webhook_attempts: eb('webhook_attempts', '+', 1),
          webhook_due_at_ms: sql<number>`${nowMs} + ${sql.lit(SENDING_MS)}`,
        }))
        .where('id', '=', next.id)
        .returning([...LISTED_COLUMNS, 'sealed_request', 'sealed_webhook'])
        .executeTakeFirstOrThrow();
      return {
        job: listingOf(row),
        sealedRequest: row.sealed_request,
        sealedWebhook: row.sealed_webhook,
        attempts: row.webhook_attempts,
      };
    });
  }

  async settle({ job, attempts }: DueWebhook, delivery: Delivery): Promise<void> {
    const { engine, write } = this.#storage;
    const nowMs = databaseNowMs(engine);
    const done = (state: 'delivered' | 'failed', fault: string | null) => ({
      ...{ webhook_state: state, webhook_fault: fault, webhook_due_at_ms: null, sealed_webhook: null },
    });
    const update = write.updateTable('jobs').where('id', '=', job.id).where('webhook_state', '=', 'due');
    if (delivery.kind === 'delivered') return void (await update.set(done('delivered', null)).execute());
    if (delivery.isFinal) return void (await update.set(done('failed', delivery.reason)).execute());
    const delayMs = Math.round(this.#backOffMs(attempts));
    const nextMs = sql<number>`${nowMs} + ${sql.lit(delayMs)}`;
    const isLate = sql<boolean>`${nextMs} > webhook_until_ms`;
    await update
      .set({
        webhook_fault: delivery.reason,
        webhook_state: sql<string>`case when ${isLate} then 'failed' else 'due' end`,
        webhook_due_at_ms: sql<number | null>`case when ${isLate} then null else ${nextMs} end`,
        sealed_webhook: sql<Uint8Array | null>`case when ${isLate} then null else sealed_webhook end`,
      })
      .execute();
  }

  /** Twice as long each time, and spread, so that many do not come back in the same moment. */
  #backOffMs(attempts: number): number {
    return Math.min(BACK_OFF_MS.max, BACK_OFF_MS.min * 2 ** (attempts - 1)) * (0.5 + this.#random() / 2);
  }
}
