// Due webhooks in the jobs table. One process sends each; if it dies, another sends it again.
import { sql } from '#kysely';
import { databaseNowMs } from '../../storage/engine.ts';
import type { Storage } from '../../storage/open.ts';
import { backOffMs } from '../back-off.ts';
import { type JobListing, LISTED_COLUMNS, listingOf } from '../job.ts';
import type { Delivery } from './webhook-request.ts';

/** Longer than one attempt with redirects. After this time another process may send the webhook. */
const SENDING_MS = 120_000;
const BACK_OFF = { minMs: 10_000, maxMs: 60 * 60_000 } as const;

export interface DueWebhook {
  readonly job: JobListing;
  readonly sealedRequest: Uint8Array;
  readonly sealedWebhook: Uint8Array | null;
  readonly attempts: number;
}

export class WebhookTable {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Claims the webhook that has been due longest, except those of busy accounts. */
  claim(busyAccounts: readonly string[]): Promise<DueWebhook | null> {
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

  /** Stores the result of an attempt and schedules the next one if it failed. */
  async recordDelivery({ job, attempts }: DueWebhook, delivery: Delivery): Promise<void> {
    const { engine, write } = this.#storage;
    const nowMs = databaseNowMs(engine);
    const ended = (state: 'delivered' | 'failed', fault: string | null) => ({
      webhook_state: state,
      webhook_fault: fault,
      webhook_due_at_ms: null,
      sealed_webhook: null,
    });
    const update = write.updateTable('jobs').where('id', '=', job.id).where('webhook_state', '=', 'due');
    if (delivery.kind === 'delivered') return void (await update.set(ended('delivered', null)).execute());
    if (delivery.isFinal) return void (await update.set(ended('failed', delivery.reason)).execute());
    const delayMs = Math.round(backOffMs(BACK_OFF, attempts));
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
}
