// The public form of a job, in responses and webhooks.
import type { JobBody, JobObject, SuccessResponse } from '@faircopy/contract';
import type { JobListing } from './job.ts';

const iso = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

export const jobObject = (job: JobListing): JobObject => ({
  id: job.id,
  state: job.state,
  model: job.model as JobObject['model'],
  audio_bytes: job.audioBytes,
  created_at: iso(job.createdAtMs)!,
  started_at: iso(job.startedAtMs),
  ended_at: iso(job.endedAtMs),
  expires_at: iso(job.expiresAtMs)!,
  error: job.error as JobObject['error'],
  webhook: job.webhook && { state: job.webhook.state, attempts: job.webhook.attempts, fault: job.webhook.fault },
});

/** Includes the result, in the form of the file endpoint's response, if there is one. */
export const jobBody = (job: JobListing, answer: SuccessResponse | null): JobBody => ({
  job: jobObject(job),
  ...(answer && { answer }),
});
