// The OpenAPI 3.1 document of file mode, made from the schemas so that it cannot say anything else.
import { INCLUDES } from './detail.ts';
import { ERRORS, type SentErrorCode } from './error-table.ts';
import { componentSchemas, type Json, schemaReference as refTo } from './json-schemas.ts';
import { LIMITS } from './limits.ts';
import { MODEL_IDS } from './models.ts';
import { IDEMPOTENCY_KEY, JOB_SCHEMAS, jobPaths, jobWebhooks } from './openapi-jobs.ts';
import { OPENAI_SCHEMAS, openAiPaths } from './openapi-openai.ts';
import { REFINE_LEVELS } from './refinement.ts';
import { PATHS } from './wire.ts';
import './errors.ts';
import './result.ts';

const EXAMPLE_ID = '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C';

/** The codes that POST /v1/transcribe can answer with; the others belong to the stream and the console. */
export const FILE_ERROR_CODES = [
  'INVALID_REQUEST',
  'AUDIO_FORMAT_UNSUPPORTED',
  'UNAUTHORIZED',
  'REQUEST_TIMEOUT',
  'AUDIO_TOO_LONG',
  'FILE_TOO_LARGE',
  'IDEMPOTENCY_KEY_REUSED',
  'CONCURRENT_LIMIT_EXCEEDED',
  'BUDGET_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly SentErrorCode[];

const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

const example = (code: SentErrorCode): Json => ({
  summary: ERRORS[code].sentence,
  value: { status: 'error', error: { code, message: ERRORS[code].sentence }, request_id: EXAMPLE_ID },
});

const headersOf = (status: number): Json => ({
  ...requestIdHeader,
  ...(status === 401 && { 'www-authenticate': { schema: { const: 'Token' } } }),
  ...((status === 429 || status === 503) && { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }),
});

/** One answer per status, with an example per code. */
const errorAnswers = (codes: readonly SentErrorCode[]): Json =>
  Object.fromEntries(
    [...new Set(codes.map((code) => ERRORS[code].httpStatus))].map((status) => {
      const ofStatus = codes.filter((code) => ERRORS[code].httpStatus === status);
      return [
        String(status),
        {
          description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].sentence}`).join('\n\n'),
          headers: headersOf(status),
          content: {
            'application/json': {
              schema: { $ref: refTo('ErrorResponse') },
              examples: Object.fromEntries(ofStatus.map((code) => [code, example(code)])),
            },
          },
        },
      ];
    }),
  );

const FORM: Json = {
  type: 'object',
  required: ['audio', 'model'],
  properties: {
    audio: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description:
        `One file: wav, ogg or webm, judged by its content. At most ${LIMITS.fileBytesMax / 1024 / 1024} MB and ` +
        `${LIMITS.fileDurationSecondsMax} seconds (the latter can be raised for an account).`,
    },
    model: { $ref: refTo('ModelId') },
    language: {
      type: 'string',
      examples: ['en'],
      description:
        'ISO 639-1 hint. When it is left out, unsupported or unknown, the language is detected; the request does not fail.',
    },
    include: {
      type: 'string',
      examples: ['segments,words'],
      description: `An extension. Comma-separated: ${INCLUDES.join(', ')}. Adds \`detail\` to the answer.`,
    },
    refine: {
      type: 'string',
      enum: [...REFINE_LEVELS],
      description:
        'An extension. How much is refined: nothing, fillers and stutters only, or everything. Default: what the account ' +
        'is set to, else standard.',
    },
    vocabulary: {
      type: 'array',
      items: { type: 'string', maxLength: 100 },
      maxItems: 200,
      examples: [['Kubernetes', 'Anna Schmidt']],
      description: 'An extension. Terms that are likely to be said in this file; one field for each.',
    },
  },
};

const plainAnswer = (description: string): Json => ({
  description,
  headers: requestIdHeader,
  content: { 'application/json': { schema: { type: 'object' } } },
});

export const openApiDocument = (version: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Faircopy',
    version,
    description:
      'Speech transcription: recognition, then refinement. This document covers file mode; live audio goes over a ' +
      `WebSocket at \`${PATHS.stream}\`, described in \`/asyncapi.json\`.`,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  security: [{ apiKey: [] }],
  paths: {
    [PATHS.transcribe]: {
      post: {
        operationId: 'transcribe',
        summary: 'Transcribe a file',
        description:
          'Blocks until the transcript is there. The fields may come in any order. Checks are made in this order: key, ' +
          'content type, size, model, format, duration. A request that fails is not billed; one that succeeds is billed ' +
          `per second of audio, rounded up, at least ${LIMITS.billedSecondsMin} seconds.`,
        parameters: [IDEMPOTENCY_KEY],
        requestBody: { required: true, content: { 'multipart/form-data': { schema: FORM } } },
        responses: {
          '200': {
            description: 'The transcript.',
            headers: requestIdHeader,
            content: { 'application/json': { schema: { $ref: refTo('SuccessResponse') } } },
          },
          ...errorAnswers(FILE_ERROR_CODES),
        },
        'x-models': MODEL_IDS,
      },
    },
    ...openAiPaths,
    ...jobPaths(FORM),
    '/healthz': {
      get: {
        operationId: 'health',
        summary: 'Alive?',
        security: [],
        responses: { '200': plainAnswer('The process runs.') },
      },
    },
    '/readyz': {
      get: {
        operationId: 'readiness',
        summary: 'Taking requests?',
        security: [],
        responses: {
          '200': plainAnswer('The models are loaded and the database answers.'),
          '503': plainAnswer('Not yet, or no longer; `message` tells why.'),
        },
      },
    },
  },
  webhooks: jobWebhooks,
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The API key, at the OpenAI-compatible addresses.' },
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The scheme word `Token`, a space, the API key: `Authorization: Token <API_KEY>`.',
      },
    },
    headers: {
      RequestId: { description: 'The same id as in the body.', schema: { $ref: refTo('RequestId') } },
      RetryAfter: { description: 'Seconds after which to try again.', schema: { type: 'integer', minimum: 1 } },
    },
    schemas: componentSchemas(['SuccessResponse', 'ErrorResponse', 'ModelId', ...JOB_SCHEMAS, ...OPENAI_SCHEMAS]),
  },
});

/** The error table as documentation shows it. */
export const errorTableMarkdown = (): string =>
  [
    '| HTTP status | Code | Close code | Try again | Meaning |',
    '|---|---|---|---|---|',
    ...Object.entries(ERRORS).map(
      ([code, entry]) =>
        `| ${entry.httpStatus ?? 'none'} | \`${code}\` | ${entry.closeCode ?? '–'} | ${entry.retryable ? 'yes' : 'no'} | ${entry.sentence} |`,
    ),
  ].join('\n');
