// The jobs API: create with POST /v1/jobs; read, list and cancel below it.
import { JOB_STATES, type JobListResponse, type JobResponse, type ModelId, PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkKeyOptions } from '../../accounts/keys/key-rules.ts';
import type { Principal } from '../../accounts/principal.ts';
import type { Calls } from '../../calls/calls.ts';
import type { ReceivedFile } from '../../calls/files/received-file.ts';
import { fingerprintOf, keyHash } from '../../idempotency/fingerprint.ts';
import { type JobListing, type JobState, PURPOSES } from '../../jobs/job.ts';
import { jobBody, jobObject } from '../../jobs/job-body.ts';
import type { JobIntake } from '../../jobs/job-intake.ts';
import { cancelJob, findJob, listJobs } from '../../jobs/job-list.ts';
import type { ReceiverRules } from '../../jobs/webhooks/webhook-request.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { unsealWith } from '../../lib/sealed.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { apiKeyOf } from '../../transport/http/api-key.ts';
import { addBodyRoute, onResponseEnd } from '../../transport/http/upload/body-route.ts';
import { idempotencyKeyOf } from '../../transport/http/upload/idempotency-key.ts';
import { receiveForm } from '../../transport/http/upload/receive-form.ts';
import { checkFormHeaders } from '../../transport/http/upload/upload-form.ts';
import { jobForm, readJobRequest } from './job-form.ts';

export interface JobsParts {
  readonly storage: Storage;
  readonly calls: Pick<Calls, 'authenticate' | 'receiveFile' | 'openProbe'>;
  readonly intake: Pick<JobIntake, 'open'>;
  readonly models: readonly ModelId[];
  readonly fileBytesMax: number;
  readonly maxDurationSeconds: number;
  readonly uploadTimeoutMs: number;
  readonly receivers: ReceiverRules;
  /** Called when a job was created or cancelled. */
  readonly onChange: () => void;
}

interface JobUpload {
  readonly principal: Principal;
  readonly apiKey: string;
  readonly idempotencyKey: string | undefined;
  readonly received: ReceivedFile;
}

const PAGE_JOBS = { default: 20, max: 100 } as const;

export const addJobs = (app: FastifyInstance, parts: JobsParts): void => {
  const { storage, calls } = parts;
  const form = jobForm(parts.fileBytesMax);

  const callerOf = (request: FastifyRequest): Promise<Principal> =>
    calls.authenticate(apiKeyOf(request.headers), { scope: 'jobs', address: request.clientAddress });

  const open = async (request: FastifyRequest, { raw }: FastifyReply): Promise<JobUpload> => {
    const { headers } = request;
    const apiKey = apiKeyOf(headers);
    const principal = await callerOf(request);
    const idempotencyKey = idempotencyKeyOf(headers);
    checkFormHeaders(headers, form);
    const received = calls.receiveFile(principal);
    onResponseEnd(raw, (outcome) => received.end(outcome));
    return { principal, apiKey, idempotencyKey, received };
  };

  const create = async (upload: JobUpload, request: FastifyRequest, reply: FastifyReply): Promise<JobResponse> => {
    const { principal, apiKey, idempotencyKey, received } = upload;
    const incoming = await parts.intake.open({ id: request.id, principal, apiKey });
    const probe = calls.openProbe(principal, parts.maxDurationSeconds);
    const sink = {
      write: (bytes: Uint8Array) => bothOf(probe.write(bytes), incoming.write(bytes)),
    };
    try {
      const { values, bodyHash } = await receiveForm(request, form, sink, {
        timeoutMs: parts.uploadTimeoutMs,
        signal: received.signal,
        hash: idempotencyKey !== undefined,
        onBytes: (count) => received.count(count),
      });
      received.markReceived();
      const jobRequest = await readJobRequest(values(), parts.models, parts.receivers, principal.accountId);
      checkKeyOptions(principal.rules, jobRequest.transcription);
      await probe.finish();
      const retry =
        idempotencyKey === undefined
          ? null
          : {
              hash: keyHash(principal.keyId, idempotencyKey, 'job'),
              fingerprint: fingerprintOf(apiKey, bodyHash(PATHS.jobs)),
            };
      const { job, isRetry } = await incoming.accept({
        model: jobRequest.transcription.model,
        request: jobRequest,
        retry,
      });
      parts.onChange();
      reply.code(202).headers({ 'x-request-id': job.id, location: `${PATHS.jobs}/${job.id}` });
      if (isRetry) reply.header('idempotent-replayed', 'true');
      return { status: 'success', ...jobBody(job, null), request_id: job.id };
    } catch (thrown) {
      await incoming.discard();
      throw thrown;
    } finally {
      probe.release();
    }
  };

  addBodyRoute(app, { url: PATHS.jobs, open, handle: create, discardedBytesMax: 2 * parts.fileBytesMax });

  app.get<{ Querystring: Record<string, string | undefined> }>(
    PATHS.jobs,
    async (request): Promise<JobListResponse> => {
      const { accountId } = await callerOf(request);
      const { limit, state, before } = pageOf(request.query);
      const jobs = await orUnavailable(listJobs(storage, { accountId, state, before, limit: limit + 1 }));
      const shown = jobs.slice(0, limit);
      return {
        status: 'success',
        jobs: shown.map(jobObject),
        next_before: jobs.length > limit ? shown.at(-1)!.id : null,
        request_id: request.id,
      };
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

const bothOf = (one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined =>
  one && other ? Promise.all([one, other]).then(() => undefined) : (one ?? other);

const openedResult = (job: JobListing, sealed: Uint8Array, { apiKey, keyId }: { apiKey: string; keyId: string }) => {
  if (job.keyId !== keyId)
    throw new Fault('FORBIDDEN', { message: 'Only the API key that created a job can read its result.' });
  return JSON.parse(unsealWith(apiKey, PURPOSES.result(job.id), sealed).toString('utf8'));
};

/** PostgreSQL rejects queries with a NUL character, so only well-formed ids reach it. */
const idOf = ({ id }: { readonly id: string }): string => {
  if (/^[0-9A-Z]{26}$/.test(id)) return id;
  throw new Fault('NOT_FOUND', { message: 'There is no such job. It may have been deleted.' });
};

const pageOf = (query: Readonly<Record<string, string | undefined>>) => {
  const { limit = String(PAGE_JOBS.default), state, before } = query;
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > PAGE_JOBS.max)
    throw invalidRequest(`"limit" must be from 1 to ${PAGE_JOBS.max}.`, 'limit');
  if (state !== undefined && (state === 'receiving' || !(JOB_STATES as readonly string[]).includes(state)))
    throw invalidRequest(`"state" must be one of ${JOB_STATES.slice(1).join(', ')}.`, 'state');
  if (before !== undefined && !/^[0-9A-Z]{26}$/.test(before))
    throw invalidRequest('"before" must be the id of a job.', 'before');
  return { limit: Number(limit), state: state as JobState | undefined, before };
};
