// The jobs API: create with POST /v1/jobs; read, list and cancel below it.
import { JOB_STATES, type JobListResponse, type JobResponse, type JobState, PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type JobListing, PURPOSES } from '../../jobs/job.ts';
import { jobBody, jobObject } from '../../jobs/job-body.ts';
import { cancelJob, findJob, listJobs } from '../../jobs/job-list.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { SealBroken, unsealWith } from '../../lib/sealed.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { apiKeyOf } from '../../transport/http/api-key.ts';
import { beforeOf, isId, limitOf, pageOf } from '../../transport/http/listing.ts';
import { addJobUploads, type JobUploadParts, jobCaller } from './job-upload.ts';

const PAGE_JOBS = { default: 20, max: 100 } as const;

export const addJobs = (app: FastifyInstance, parts: JobUploadParts): void => {
  const { storage, calls } = parts;
  addJobUploads(app, parts);
  const callerOf = (request: FastifyRequest) => jobCaller(calls, request);

  app.get<{ Querystring: Record<string, string | undefined> }>(
    PATHS.jobs,
    async (request): Promise<JobListResponse> => {
      const { accountId } = await callerOf(request);
      const limit = limitOf(request.query.limit, PAGE_JOBS);
      const state = stateOf(request.query.state);
      const before = beforeOf(request.query.before, 'a job');
      const jobs = await orUnavailable(listJobs(storage, { accountId, state, before, limit: limit + 1 }));
      const { shown, next_before } = pageOf(jobs, limit);
      return { status: 'success', jobs: shown.map(jobObject), next_before, request_id: request.id };
    },
  );

  app.get<{ Params: { id: string } }>(`${PATHS.jobs}/:id`, async (request): Promise<JobResponse> => {
    const apiKey = apiKeyOf(request.headers);
    const { accountId, keyId } = await callerOf(request);
    const { job, sealedResult } = await orUnavailable(findJob(storage, { id: idOf(request.params), accountId }));
    const answer = sealedResult === null ? null : openedResult(job, sealedResult, { apiKey, keyId });
    return { status: 'success', ...jobBody(job, answer), request_id: request.id };
  });

  app.post<{ Params: { id: string } }>(`${PATHS.jobs}/:id/cancel`, async (request): Promise<JobResponse> => {
    const { accountId } = await callerOf(request);
    const job = await orUnavailable(cancelJob(storage, { id: idOf(request.params), accountId }));
    parts.onChange();
    return { status: 'success', ...jobBody(job, null), request_id: request.id };
  });
};

const openedResult = (job: JobListing, sealed: Uint8Array, { apiKey, keyId }: { apiKey: string; keyId: string }) => {
  if (job.keyId !== keyId)
    throw new Fault('FORBIDDEN', { message: 'Only the API key that created a job can read its result.' });
  try {
    return JSON.parse(unsealWith(apiKey, PURPOSES.result(job.id), sealed).toString('utf8'));
  } catch (thrown) {
    if (!(thrown instanceof SealBroken)) throw thrown;
    throw new Fault('FORBIDDEN', { message: 'This job was sent from the console, which shows its result.' });
  }
};

const idOf = ({ id }: { readonly id: string }): string => {
  if (isId(id)) return id;
  throw new Fault('NOT_FOUND', { message: 'There is no such job. It may have been deleted.' });
};

const stateOf = (text: string | undefined): JobState | undefined => {
  if (text !== undefined && (text === 'receiving' || !(JOB_STATES as readonly string[]).includes(text)))
    throw invalidRequest(`"state" must be one of ${JOB_STATES.slice(1).join(', ')}.`, 'state');
  return text as JobState | undefined;
};
