// The columns that change when a job ends.
import { sql } from '#kysely';
import { databaseNowMs, type Engine } from '../storage/engine.ts';

/** How long delivery of a webhook is attempted after the end of the job. */
const WEBHOOK_MS = 24 * 60 * 60_000;

export const endedColumns = (engine: Engine, state: 'succeeded' | 'failed' | 'cancelled') => {
  const nowMs = databaseNowMs(engine);
  const hasWebhook = sql`webhook_state is not null`;
  return {
    state,
    holder_id: null,
    ended_at_ms: nowMs,
    webhook_state: sql<string | null>`case when ${hasWebhook} then 'due' end`,
    webhook_due_at_ms: sql<number | null>`case when ${hasWebhook} then ${nowMs} end`,
    webhook_until_ms: sql<number | null>`case when ${hasWebhook} then ${nowMs} + ${sql.lit(WEBHOOK_MS)} end`,
  };
};
