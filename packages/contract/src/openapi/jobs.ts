// Jobs in the OpenAPI document.
import { JOB_STATES } from '../jobs.ts';
import { PATHS } from '../wire.ts';
import type { Json } from './json-schemas.ts';
import { failures, IDEMPOTENCY_KEY, jsonContent, multipart, ref, response } from './responses.ts';

export const JOB_SCHEMAS = ['Job', 'JobResponse', 'JobListResponse', 'JobWebhook'] as const;

const KEY_FAILURES = ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'] as const;
const ABSENT: [number, string] = [404, 'There is no such job, or jobs are disabled.'];
const ID: Json = { name: 'id', in: 'path', required: true, schema: ref('RequestId') };

/** `form` is the form of file mode. */
export const jobPaths = (form: Json): Json => ({
  [PATHS.jobs]: {
    post: {
      operationId: 'createJob',
      summary: 'Queue a file for transcription',
      description: 'An extension, disabled unless the operator enables it. Accepts larger files than file mode.',
      parameters: [IDEMPOTENCY_KEY],
      requestBody: multipart({
        ...form,
        properties: {
          ...(form.properties as Json),
          webhook: {
            type: 'string',
            format: 'uri',
            description: 'A public https address to which the signed result is sent.',
          },
        },
      }),
      responses: {
        '202': response('The job is queued.', jsonContent('JobResponse')),
        ...failures(
          [400, 'A field is missing or invalid, or the webhook address is not public.'],
          'REQUEST_TIMEOUT',
          [413, 'The file exceeds the size limit for jobs.'],
          'IDEMPOTENCY_KEY_REUSED',
          [429, 'The account has reached its limit of jobs or of audio in jobs.'],
          ...KEY_FAILURES,
        ),
      },
    },
    get: {
      operationId: 'listJobs',
      summary: 'List the jobs of the account, newest first',
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        { name: 'state', in: 'query', schema: { enum: JOB_STATES.slice(1) } },
        { name: 'before', in: 'query', schema: ref('RequestId') },
      ],
      responses: {
        '200': response('A page of jobs.', jsonContent('JobListResponse')),
        ...failures([400, 'A parameter is invalid.'], ...KEY_FAILURES),
      },
    },
  },
  [`${PATHS.jobs}/{id}`]: {
    get: {
      operationId: 'getJob',
      summary: 'Get a job, with its answer once it has succeeded',
      parameters: [ID],
      responses: {
        '200': response('The job.', jsonContent('JobResponse')),
        ...failures([403, 'Only the key that created the job can read its answer.'], ABSENT, ...KEY_FAILURES),
      },
    },
  },
  [`${PATHS.jobs}/{id}/cancel`]: {
    post: {
      operationId: 'cancelJob',
      summary: 'Cancel a job that has not ended; it is not billed',
      parameters: [ID],
      responses: {
        '200': response('The job is cancelled.', jsonContent('JobResponse')),
        ...failures(ABSENT, [409, 'The job has already ended.'], ...KEY_FAILURES),
      },
    },
  },
});

export const jobWebhooks: Json = {
  jobEnded: {
    post: {
      summary: 'A job has ended',
      parameters: [
        { name: 'Faircopy-Webhook-Id', in: 'header', required: true, schema: ref('RequestId') },
        {
          name: 'Faircopy-Signature',
          in: 'header',
          required: true,
          schema: { type: 'string' },
          description: `A detached JWS (Ed25519) of the body. The public keys are at \`${PATHS.jwks}\`.`,
        },
      ],
      requestBody: { required: true, content: jsonContent('JobWebhook') },
      responses: { '2XX': { description: 'Received. After any other answer, delivery is retried for a day.' } },
    },
  },
};
