// Jobs as they are listed, looked at and cancelled: by callers, in the console, on the command line.
import { sql } from 'kysely';
import { Fault } from '../lib/fault.ts';
import { databaseNowMs } from '../storage/engine.ts';
import type { Storage } from '../storage/open.ts';
import { ACCEPTED_STATES, type JobListing, type JobState, LISTED_COLUMNS, listingOf } from './job.ts';
import { dropAudio } from './job-queue.ts';

export interface JobsQuery {
  /** All accounts when it is left out. */
  readonly accountId?: string | undefined;
  readonly state?: JobState | undefined;
  readonly limit: number;
  /** Only jobs older than this one. */
  readonly before?: string | undefined;
}

/** How long a webhook is tried, from the end of the job on. */
export const WEBHOOK_MS = 24 * 60 * 60_000;

/** Newest first. */
export const listJobs = async (storage: Storage, query: JobsQuery): Promise<JobListing[]> => {
  const { accountId, state, limit, before } = query;
  const rows = await storage.report
    .selectFrom('jobs')
    .select(LISTED_COLUMNS)
    .where('state', 'in', state === undefined ? ACCEPTED_STATES : [state])
    .$if(accountId !== undefined, (select) => select.where('account_id', '=', accountId!))
    .$if(before !== undefined, (select) => select.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(listingOf);
};

const absent = (): Fault => new Fault('NOT_FOUND', { message: 'There is no such job; it may have been deleted.' });

export interface JobName {
  readonly id: string;
  readonly accountId?: string | undefined;
}

/** The job with its sealed result, if it has one. */
export const findJob = async (
  storage: Storage,
  { id, accountId }: JobName,
): Promise<{ readonly job: JobListing; readonly sealedResult: Uint8Array | null }> => {
  const row = await storage.read
    .selectFrom('jobs')
    .select([...LISTED_COLUMNS, 'sealed_result'])
    .where('id', '=', id)
    .where('state', 'in', ACCEPTED_STATES)
    .$if(accountId !== undefined, (select) => select.where('account_id', '=', accountId!))
    .executeTakeFirst();
  if (!row) throw absent();
  return { job: listingOf(row), sealedResult: row.sealed_result };
};

/** Ends a job that has not ended. One that is cancelled already stays so; what has ended otherwise is a conflict. */
export const cancelJob = async (storage: Storage, { id, accountId }: JobName): Promise<JobListing> => {
  const nowMs = databaseNowMs(storage.engine);
  const isDue = sql`webhook_state is not null`;
  const row = await storage.write.transaction().execute(async (trx) => {
    const cancelled = await trx
      .updateTable('jobs')
      .set({
        ...{ state: 'cancelled', holder_id: null, ended_at_ms: nowMs },
        webhook_state: sql<string | null>`case when ${isDue} then 'due' end`,
        webhook_due_at_ms: sql<number | null>`case when ${isDue} then ${nowMs} end`,
        webhook_until_ms: sql<number | null>`case when ${isDue} then ${nowMs} + ${sql.lit(WEBHOOK_MS)} end`,
      })
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'running'])
      .$if(accountId !== undefined, (update) => update.where('account_id', '=', accountId!))
      .returning(LISTED_COLUMNS)
      .executeTakeFirst();
    if (cancelled) await dropAudio(trx, [id]);
    return cancelled;
  });
  if (row) return listingOf(row);
  const { job } = await findJob(storage, { id, accountId });
  if (job.state === 'cancelled') return job;
  throw new Fault('CONFLICT', { message: `The job has ${job.state} already.` });
};
