// Jobs in the OpenAPI document.

import { JOB_STATES } from './jobs.ts';
import { type Json, schemaReference as refTo } from './json-schemas.ts';
import { PATHS } from './wire.ts';

export const JOB_SCHEMAS = ['Job', 'JobResponse', 'JobListResponse', 'JobWebhook'] as const;

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const json = (schema: string): Json => ({ 'application/json': { schema: { $ref: refTo(schema) } } });
const good = (description: string, schema: string): Json => ({ description, headers, content: json(schema) });
const failures = (...statuses: readonly [status: number, description: string][]): Json =>
  Object.fromEntries(
    statuses.map(([status, description]) => [String(status), { description, headers, content: json('ErrorResponse') }]),
  );

const KEY_FAILURES: readonly [number, string][] = [
  [401, 'The key is missing or not valid.'],
  [503, 'The service cannot serve this request now.'],
];
const ABSENT: [number, string] = [404, 'There is no such job, or jobs are off here.'];
const ID: Json = { name: 'id', in: 'path', required: true, schema: { $ref: refTo('RequestId') } };

/** The header that makes a retry get the same answer. */
export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  description:
    'An extension. A retry with the same key and body within 24 hours gets the same answer and is billed once; another ' +
    'body is refused with 422.',
};

/** `form` is that of file mode. */
export const jobPaths = (form: Json): Json => ({
  [PATHS.jobs]: {
    post: {
      operationId: 'createJob',
      summary: 'Leave a file to be transcribed later',
      description: 'An extension, off unless the operator turns it on. Takes larger files than file mode.',
      parameters: [IDEMPOTENCY_KEY],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              ...form,
              properties: {
                ...(form.properties as Json),
                webhook: {
                  type: 'string',
                  format: 'uri',
                  description: 'A public https address to which the result is sent, signed.',
                },
              },
            },
          },
        },
      },
      responses: {
        '202': good('The job waits for its turn.', 'JobResponse'),
        ...failures(
          [400, 'A field is missing or wrong, or the webhook leads to an address that is not public.'],
          [408, 'The upload took too long to arrive.'],
          [413, 'The file is larger than jobs may be.'],
          [422, 'The Idempotency-Key was sent before, with another request.'],
          [429, 'The account has as many jobs, or as much audio in them, as it may have.'],
          ...KEY_FAILURES,
        ),
      },
    },
    get: {
      operationId: 'listJobs',
      summary: 'Jobs of the account, newest first',
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        { name: 'state', in: 'query', schema: { enum: JOB_STATES.slice(1) } },
        { name: 'before', in: 'query', schema: { $ref: refTo('RequestId') } },
      ],
      responses: {
        '200': good('A page of them.', 'JobListResponse'),
        ...failures([400, 'A parameter is wrong.'], ...KEY_FAILURES),
      },
    },
  },
  [`${PATHS.jobs}/{id}`]: {
    get: {
      operationId: 'getJob',
      summary: 'A job, with its answer once it has succeeded',
      parameters: [ID],
      responses: {
        '200': good('The job.', 'JobResponse'),
        ...failures([403, 'Its answer can be read with the key that made it only.'], ABSENT, ...KEY_FAILURES),
      },
    },
  },
  [`${PATHS.jobs}/{id}/cancel`]: {
    post: {
      operationId: 'cancelJob',
      summary: 'End a job that has not ended; it is not billed',
      parameters: [ID],
      responses: {
        '200': good('It is cancelled.', 'JobResponse'),
        ...failures(ABSENT, [409, 'It has ended already.'], ...KEY_FAILURES),
      },
    },
  },
});

export const jobWebhooks: Json = {
  jobEnded: {
    post: {
      summary: 'A job has ended',
      parameters: [
        { name: 'Faircopy-Webhook-Id', in: 'header', required: true, schema: { $ref: refTo('RequestId') } },
        {
          name: 'Faircopy-Signature',
          in: 'header',
          required: true,
          schema: { type: 'string' },
          description: `A detached JWS (Ed25519) of the body; its keys are at \`${PATHS.jwks}\`.`,
        },
      ],
      requestBody: { required: true, content: json('JobWebhook') },
      responses: { '2XX': { description: 'It has arrived. Everything else is tried again for a day.' } },
    },
  },
};
