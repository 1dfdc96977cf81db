// Jobs: files that are transcribed in the background.
import { z } from 'zod';
import { errorDetail } from './errors.ts';
import { modelId } from './models.ts';
import { successResponse } from './result.ts';
import { isoTime, requestId } from './values/ids.ts';

/** receiving: the upload is incomplete and the job is not listed yet. */
export const JOB_STATES = ['receiving', 'waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const jobObject = z
  .object({
    id: requestId.meta({ description: 'Also the request id of its usage record.' }),
    state: z.enum(JOB_STATES),
    model: modelId,
    audio_bytes: z.number().int(),
    created_at: isoTime,
    started_at: isoTime.nullable(),
    ended_at: isoTime.nullable(),
    expires_at: isoTime.meta({ description: 'When the job and its result are deleted.' }),
    error: errorDetail.nullable(),
    webhook: z
      .object({
        state: z.enum(['waiting', 'due', 'delivered', 'failed']),
        attempts: z.number().int(),
        fault: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
      })
      .nullable(),
  })
  .meta({ id: 'Job' });
export type JobObject = z.infer<typeof jobObject>;

export const jobBody = z.object({
  job: jobObject,
  answer: successResponse.optional().meta({ description: 'The same answer as in file mode.' }),
});
export type JobBody = z.infer<typeof jobBody>;

export const jobResponse = jobBody
  .extend({ status: z.literal('success'), request_id: requestId })
  .meta({ id: 'JobResponse' });
export type JobResponse = z.infer<typeof jobResponse>;

export const jobListResponse = z
  .object({
    status: z.literal('success'),
    jobs: z.array(jobObject),
    next_before: z.string().nullable().meta({ description: 'The parameter `before` of the next page.' }),
    request_id: requestId,
  })
  .meta({ id: 'JobListResponse' });
export type JobListResponse = z.infer<typeof jobListResponse>;

/** The body of a webhook request. */
export const webhookBody = jobBody
  .extend({ type: z.enum(['job.succeeded', 'job.failed', 'job.cancelled']), sent_at: isoTime })
  .meta({ id: 'JobWebhook' });
export type WebhookBody = z.infer<typeof webhookBody>;

/** A page of jobs in the console. */
export const consoleJobsQuery = z.object({
  before: z.string().max(26).optional(),
  state: z.enum(JOB_STATES).optional(),
});
export const consoleJob = jobObject.extend({
  /** Null until the job has ended. */
  audio_seconds: z.number().nullable(),
  billed_seconds: z.number().nullable(),
  key_name: z.string().nullable(),
  /** Whether the caller sent it from the console, and so can read its result there. */
  is_own: z.boolean(),
});
export type ConsoleJob = z.infer<typeof consoleJob>;
export const consoleJobs = z.object({ jobs: z.array(consoleJob), next_before: z.string().nullable() });
export type ConsoleJobs = z.infer<typeof consoleJobs>;

/** The words to search for in the caller's own jobs. */
export const consoleJobSearch = z.object({ words: z.string().trim().min(1).max(200) });
export const consoleJobMatches = z.object({
  matches: z.array(z.object({ job: consoleJob, excerpts: z.array(z.string()) })),
});
export type ConsoleJobMatches = z.infer<typeof consoleJobMatches>;
