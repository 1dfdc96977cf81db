// Jobs over HTTP: made with POST /v1/jobs, looked at, listed and cancelled below it.
import { JOB_STATES, type JobListResponse, type JobResponse, type ModelId, PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../accounts/principal.ts';
import type { Calls } from '../../calls/calls.ts';
import type { ReceivedFile } from '../../calls/files/received-file.ts';
import { keyInHeader, requireKey } from '../../calls/presented-key.ts';
import { fingerprintOf, keyHash } from '../../idempotency/fingerprint.ts';
import { type JobListing, type JobState, PURPOSES } from '../../jobs/job.ts';
import { jobBody, jobObject } from '../../jobs/job-body.ts';
import type { IncomingJob, JobIntake } from '../../jobs/job-intake.ts';
import { cancelJob, findJob, listJobs } from '../../jobs/job-list.ts';
import type { ReceiverRules } from '../../jobs/webhooks/webhook-request.ts';
import { Fault } from '../../lib/fault.ts';
import { unsealWith } from '../../lib/sealed.ts';
import type { Storage } from '../../storage/open.ts';
import { orUnavailable } from '../../storage/unavailable.ts';
import { FormHash } from '../../transport/http/upload/body-hash.ts';
import { idempotencyKeyOf } from '../../transport/http/upload/idempotency-key.ts';
import { boundaryOf } from '../../transport/http/upload/multipart.ts';
import { expectBody, forgetBody, receiveBody } from '../../transport/http/upload/receive.ts';
import { checkFormHeaders, type FormFields, UploadForm } from '../../transport/http/upload/upload-form.ts';
import { jobForm, readJobRequest } from './job-form.ts';

export interface JobsParts {
  readonly storage: Storage;
  readonly calls: Pick<Calls, 'authenticate' | 'receiveFile'>;
  readonly intake: Pick<JobIntake, 'open'>;
  readonly models: readonly ModelId[];
  readonly fileBytesMax: number;
  readonly uploadTimeoutMs: number;
  readonly receivers: ReceiverRules;
  /** Told when there is something to do: a job to begin, one to stop, a webhook to send. */
  readonly onChange: () => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    jobUpload: JobUpload | undefined;
  }
}

interface JobUpload {
  readonly principal: Principal;
  readonly apiKey: string;
  readonly idempotencyKey: string | undefined;
  readonly received: ReceivedFile;
}

const HOW_TO_SEND_THE_KEY = 'Send it as "Authorization: Token <API_KEY>".';
const PAGE_JOBS = { default: 20, max: 100 } as const;

const keyOf = ({ headers }: FastifyRequest): string =>
  requireKey(keyInHeader(headers.authorization), HOW_TO_SEND_THE_KEY);
const invalid = (message: string, parameter: string) => new Fault('INVALID_REQUEST', { message, parameter });

export const addJobs = (app: FastifyInstance, parts: JobsParts): void => {
  const { storage, calls } = parts;
  const form = jobForm(parts.fileBytesMax);

  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { socket } = request.raw;
    expectBody(socket, request.id);
    reply.raw.once('close', () => forgetBody(socket));
    const apiKey = keyOf(request);
    const principal = await calls.authenticate(apiKey);
    const idempotencyKey = idempotencyKeyOf(request.headers);
    checkFormHeaders(request.headers, form);
    const received = calls.receiveFile(principal);
    const onClose = () => received.end(reply.raw.writableFinished ? 'answered' : 'left');
    if (reply.raw.destroyed) onClose();
    else reply.raw.once('close', onClose);
    request.jobUpload = { principal, apiKey, idempotencyKey, received };
  };

  const receive = async (
    request: FastifyRequest,
    { received }: JobUpload,
    incoming: IncomingJob,
  ): Promise<{ readonly fields: FormFields; readonly bodyHash: string }> => {
    const hash = new FormHash();
    const upload = new UploadForm(boundaryOf(request.headers['content-type'])!, form, {
      write: (bytes) => {
        hash.write(bytes);
        return incoming.write(bytes);
      },
      onField: () => {},
    });
    await receiveBody(request.raw, { timeoutMs: parts.uploadTimeoutMs, signal: received.signal }, (chunk) => {
      received.count(chunk.length);
      return upload.push(chunk);
    });
    received.markReceived();
    const fields = upload.finish();
    return { fields, bodyHash: hash.digest(PATHS.jobs, fields) };
  };

  const create = async (request: FastifyRequest, reply: FastifyReply): Promise<JobResponse> => {
    const upload = request.jobUpload!;
    const { principal, apiKey, idempotencyKey } = upload;
    const incoming = await parts.intake.open({ id: request.id, principal, apiKey });
    try {
      const { fields, bodyHash } = await receive(request, upload, incoming);
      const asked = await readJobRequest(fields, parts.models, parts.receivers, principal.accountId);
      const retry =
        idempotencyKey === undefined
          ? null
          : { hash: keyHash(principal.keyId, idempotencyKey, 'job'), fingerprint: fingerprintOf(apiKey, bodyHash) };
      const { job, isRetry } = await incoming.accept({ model: asked.transcription.model, request: asked, retry });
      parts.onChange();
      reply.code(202).headers({ 'x-request-id': job.id, location: `${PATHS.jobs}/${job.id}` });
      if (isRetry) reply.header('idempotent-replayed', 'true');
      return { status: 'success', ...jobBody(job, null), request_id: job.id };
    } catch (thrown) {
      await incoming.discard();
      throw thrown;
    }
  };

  app.register(async (scope) => {
    // The body is read by the endpoint itself, as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.decorateRequest('jobUpload', undefined);
    scope.route({
      method: 'POST',
      url: PATHS.jobs,
      config: { readsOwnBody: true },
      onRequest: open,
      handler: create,
    });
  });

  app.get<{ Querystring: Record<string, string | undefined> }>(
    PATHS.jobs,
    async (request): Promise<JobListResponse> => {
      const { accountId } = await calls.authenticate(keyOf(request));
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
    const apiKey = keyOf(request);
    const { accountId, keyId } = await calls.authenticate(apiKey);
    const { job, sealedResult } = await orUnavailable(findJob(storage, { id: idOf(request.params), accountId }));
    const answer = sealedResult === null ? null : openedResult(job, sealedResult, { apiKey, keyId });
    return { status: 'success', ...jobBody(job, answer), request_id: request.id };
  });

  app.post<{ Params: { id: string } }>(`${PATHS.jobs}/:id/cancel`, async (request): Promise<JobResponse> => {
    const { accountId } = await calls.authenticate(keyOf(request));
    const job = await orUnavailable(cancelJob(storage, { id: idOf(request.params), accountId }));
    parts.onChange();
    return { status: 'success', ...jobBody(job, null), request_id: request.id };
  });
};

const openedResult = (job: JobListing, sealed: Uint8Array, { apiKey, keyId }: { apiKey: string; keyId: string }) => {
  if (job.keyId !== keyId)
    throw new Fault('FORBIDDEN', { message: 'The result of a job can be read with the API key that made it only.' });
  return JSON.parse(unsealWith(apiKey, PURPOSES.result(job.id), sealed).toString('utf8'));
};

/** No id has a NUL, and PostgreSQL refuses to be asked for one. */
const idOf = ({ id }: { readonly id: string }): string => {
  if (/^[0-9A-Z]{26}$/.test(id)) return id;
  throw new Fault('NOT_FOUND', { message: 'There is no such job; it may have been deleted.' });
};

const pageOf = (query: Readonly<Record<string, string | undefined>>) => {
  const { limit = String(PAGE_JOBS.default), state, before } = query;
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > PAGE_JOBS.max)
    throw invalid(`"limit" must be from 1 to ${PAGE_JOBS.max}.`, 'limit');
  if (state !== undefined && (state === 'receiving' || !(JOB_STATES as readonly string[]).includes(state)))
    throw invalid(`"state" must be one of ${JOB_STATES.slice(1).join(', ')}.`, 'state');
  if (before !== undefined && !/^[0-9A-Z]{26}$/.test(before))
    throw invalid('"before" must be the id of a job.', 'before');
  return { limit: Number(limit), state: state as JobState | undefined, before };
};
