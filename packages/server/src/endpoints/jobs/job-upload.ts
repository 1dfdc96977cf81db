// Receives the file of a job: checks it while it is stored, then answers 202.
import { type JobResponse, type ModelId, PATHS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowedLanguages } from '../../accounts/allowed-languages.ts';
import { checkKeyModel } from '../../accounts/keys/key-rules.ts';
import type { Principal } from '../../accounts/principal.ts';
import type { Calls } from '../../calls/calls.ts';
import type { ReceivedFile } from '../../calls/files/received-file.ts';
import { fingerprintOf, keyHash } from '../../idempotency/fingerprint.ts';
import { jobBody } from '../../jobs/job-body.ts';
import type { JobIntake } from '../../jobs/job-intake.ts';
import type { ReceiverRules } from '../../jobs/webhooks/webhook-request.ts';
import type { Storage } from '../../storage/open.ts';
import { apiKeyOf } from '../../transport/http/api-key.ts';
import { addBodyRoute, onResponseEnd } from '../../transport/http/upload/body-route.ts';
import { idempotencyKeyOf } from '../../transport/http/upload/idempotency-key.ts';
import { receiveForm } from '../../transport/http/upload/receive-form.ts';
import { checkFormHeaders } from '../../transport/http/upload/upload-form.ts';
import { jobForm, readJobRequest } from './job-form.ts';

export interface JobUploadParts {
  /** Default: the public path. */
  readonly url?: string;
  /** The secret that opens the results. Default: the caller's key, which the server does not keep. */
  readonly resultSecret?: string;
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

/** Authenticates the caller by a key that may be used for jobs from this address. */
export const jobCaller = (calls: Pick<Calls, 'authenticate'>, request: FastifyRequest): Promise<Principal> =>
  calls.authenticate(apiKeyOf(request.headers), { scope: 'jobs', address: request.clientAddress });

export const addJobUploads = (app: FastifyInstance, parts: JobUploadParts): void => {
  const form = jobForm(parts.fileBytesMax);

  const open = async (request: FastifyRequest, { raw }: FastifyReply): Promise<JobUpload> => {
    const { headers } = request;
    const apiKey = apiKeyOf(headers);
    const principal = await jobCaller(parts.calls, request);
    const idempotencyKey = idempotencyKeyOf(headers);
    checkFormHeaders(headers, form);
    const received = parts.calls.receiveFile(principal);
    onResponseEnd(raw, (outcome) => received.end(outcome));
    return { principal, apiKey, idempotencyKey, received };
  };

  const create = async (upload: JobUpload, request: FastifyRequest, reply: FastifyReply): Promise<JobResponse> => {
    const { principal, apiKey, idempotencyKey, received } = upload;
    const incoming = await parts.intake.open({ id: request.id, principal, apiKey: parts.resultSecret ?? apiKey });
    const probe = parts.calls.openProbe(principal, parts.maxDurationSeconds);
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
      checkKeyModel(principal.rules, jobRequest.transcription.model);
      allowedLanguages(principal, jobRequest.transcription);
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

  addBodyRoute(app, { url: parts.url ?? PATHS.jobs, open, handle: create, discardedBytesMax: 2 * parts.fileBytesMax });
};

const bothOf = (one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined =>
  one && other ? Promise.all([one, other]).then(() => undefined) : (one ?? other);
