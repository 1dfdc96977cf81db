// Lists, finds and cancels jobs.
import type { JobState } from '@faircopy/contract';
import { Fault } from '../lib/fault.ts';
import type { Storage } from '../storage/open.ts';
import { endedColumns } from './ended-columns.ts';
import { ACCEPTED_STATES, type JobListing, LISTED_COLUMNS, listingOf } from './job.ts';
import { deleteAudio } from './job-queue.ts';

export interface JobsQuery {
  /** Absent: all accounts. */
  readonly accountId?: string | undefined;
  readonly state?: JobState | undefined;
  readonly limit: number;
  /** Lists only jobs older than this id. */
  readonly before?: string | undefined;
}

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

const notFound = (): Fault => new Fault('NOT_FOUND', { message: 'There is no such job; it may have been deleted.' });

export interface JobReference {
  readonly id: string;
  readonly accountId?: string | undefined;
}

/** The job with its encrypted result, if it has one. */
export const findJob = async (
  storage: Storage,
  { id, accountId }: JobReference,
): Promise<{ readonly job: JobListing; readonly sealedResult: Uint8Array | null }> => {
  const row = await storage.read
    .selectFrom('jobs')
    .select([...LISTED_COLUMNS, 'sealed_result'])
    .where('id', '=', id)
    .where('state', 'in', ACCEPTED_STATES)
    .$if(accountId !== undefined, (select) => select.where('account_id', '=', accountId!))
    .executeTakeFirst();
  if (!row) throw notFound();
  return { job: listingOf(row), sealedResult: row.sealed_result };
};

/** Cancelling again has no effect. Throws CONFLICT if the job has ended otherwise. */
export const cancelJob = async (storage: Storage, { id, accountId }: JobReference): Promise<JobListing> => {
  const row = await storage.write.transaction().execute(async (trx) => {
    const cancelled = await trx
      .updateTable('jobs')
      .set(endedColumns(storage.engine, 'cancelled'))
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'running'])
      .$if(accountId !== undefined, (update) => update.where('account_id', '=', accountId!))
      .returning(LISTED_COLUMNS)
      .executeTakeFirst();
    if (cancelled) await deleteAudio(trx, [id]);
    return cancelled;
  });
  if (row) return listingOf(row);
  const { job } = await findJob(storage, { id, accountId });
  if (job.state === 'cancelled') return job;
  throw new Fault('CONFLICT', { message: `The job has already ${job.state}.` });
};
