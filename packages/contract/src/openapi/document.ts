// The OpenAPI 3.1 document, generated from the schemas so that the two cannot differ.

import { INCLUDES } from '../detail.ts';
import { ERRORS, type SentErrorCode } from '../error-table.ts';
import { LIMITS } from '../limits.ts';
import { MODEL_IDS } from '../models.ts';
import { REDACTION_NAMES, REFINE_LEVELS } from '../refinement.ts';
import { TERM_LIMITS } from '../terms.ts';
import { TAG_CHARACTERS_MAX, TAGS_MAX } from '../usage/tags.ts';
import { LANGUAGES } from '../values/languages.ts';
import { PATHS } from '../wire.ts';
import { JOB_SCHEMAS, jobPaths, jobWebhooks } from './jobs.ts';
import { componentSchemas, type Json } from './json-schemas.ts';
import { OPENAI_SCHEMAS, openAiPaths } from './openai.ts';
import { RECEIPT_SCHEMAS, receiptPaths } from './receipts.ts';
import { IDEMPOTENCY_KEY, jsonContent, multipart, ref, requestIdHeader, response } from './responses.ts';
import { SPEAKER_PARTS } from './speaker-parts.ts';
import { USAGE_SCHEMAS, usagePaths } from './usage.ts';
import { VOICE_SCHEMAS, voicePaths } from './voices.ts';
import '../errors.ts';
import '../result.ts';

const EXAMPLE_ID = '01K9ZQ5W0Q4T9Y6X2V8B3N7M1C';

/** The codes that POST /v1/transcribe can answer with. */
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

const example = (code: SentErrorCode): Json => ({
  summary: ERRORS[code].sentence,
  value: { status: 'error', error: { code, message: ERRORS[code].sentence }, request_id: EXAMPLE_ID },
});

const headersOf = (status: number): Json => ({
  ...requestIdHeader,
  ...(status === 401 && { 'www-authenticate': { schema: { const: 'Token' } } }),
  ...((status === 429 || status === 503) && { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }),
});

/** One response per status, with an example per code. */
const errorResponses = (codes: readonly SentErrorCode[]): Json =>
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
              schema: ref('ErrorResponse'),
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
        `One file: wav, ogg or webm, detected from the content. At most ${LIMITS.fileBytesMax / 1024 / 1024} MB and ` +
        `${LIMITS.fileDurationSecondsMax} seconds (the duration limit can be raised for an account).`,
    },
    model: ref('ModelId'),
    language: {
      type: 'string',
      examples: ['en'],
      description:
        'ISO 639-1 hint. If it is missing, unsupported or unknown, the language is detected; the request does not fail.',
    },
    languages: {
      type: 'string',
      examples: ['de,en'],
      description:
        'An extension. Comma-separated: the languages that may be spoken. Detection chooses among them and is skipped ' +
        `for a single one. Valid values: ${LANGUAGES.join(', ')}.`,
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
        'An extension. How much to refine: nothing, fillers and stutters only, or everything. Default: the level of ' +
        'the account, otherwise standard.',
    },
    redact: {
      type: 'string',
      examples: ['pci,phone'],
      description: `An extension. Comma-separated: personal data to hide. One or more of ${REDACTION_NAMES.join(', ')}.`,
    },
    profanity_filter: {
      type: 'boolean',
      description: 'An extension. Masks profanity as `****`, as `redact=profanity` does.',
    },
    vocabulary: {
      type: 'array',
      items: { type: 'string', maxLength: TERM_LIMITS.charactersMax },
      maxItems: TERM_LIMITS.countMax,
      examples: [['Kubernetes', 'Nguyen (sounds like win)']],
      description: 'An extension. Terms that are likely in this file; one field per term.',
    },
    tag: {
      type: 'array',
      items: { type: 'string', maxLength: TAG_CHARACTERS_MAX },
      maxItems: TAGS_MAX,
      description: 'An extension. Tags of the usage row; one field per tag.',
    },
    speakers: {
      type: 'boolean',
      description: 'An extension. Adds `speakers` and `paragraphs` to `detail`, and a speaker to each word.',
    },
    ...SPEAKER_PARTS,
  },
};

const plainResponse = (description: string): Json =>
  response(description, { 'application/json': { schema: { type: 'object' } } });

export const openApiDocument = (version: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Faircopy',
    version,
    description:
      'Speech transcription: recognition, then refinement. This document covers HTTP; streams use a WebSocket at ' +
      `\`${PATHS.stream}\`, described in \`/asyncapi.json\`.`,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  security: [{ apiKey: [] }],
  paths: {
    [PATHS.transcribe]: {
      post: {
        operationId: 'transcribe',
        summary: 'Transcribe a file',
        description:
          'Blocks until the transcript is ready. The fields may come in any order. The checks run in this order: key, ' +
          'content type, size, model, format, duration. A failed request is not billed; a successful one is billed per ' +
          `second of audio, rounded up, with a minimum of ${LIMITS.billedSecondsMin} seconds.`,
        parameters: [IDEMPOTENCY_KEY],
        requestBody: multipart(FORM),
        responses: {
          '200': response('The transcript.', jsonContent('SuccessResponse')),
          ...errorResponses(FILE_ERROR_CODES),
        },
        'x-models': MODEL_IDS,
      },
    },
    ...openAiPaths,
    ...jobPaths(FORM),
    ...voicePaths,
    ...receiptPaths,
    ...usagePaths,
    '/healthz': {
      get: {
        operationId: 'health',
        summary: 'Liveness check',
        security: [],
        responses: { '200': plainResponse('The process is running.') },
      },
    },
    '/readyz': {
      get: {
        operationId: 'readiness',
        summary: 'Readiness check',
        security: [],
        responses: {
          '200': plainResponse('The models are loaded and the database answers.'),
          '503': plainResponse('The server is starting or stopping; `message` gives the reason.'),
        },
      },
    },
  },
  webhooks: jobWebhooks,
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The API key, for the OpenAI-compatible endpoints.' },
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The scheme `Token` and the API key: `Authorization: Token <API_KEY>`.',
      },
    },
    headers: {
      RequestId: { description: 'The same id as in the body.', schema: ref('RequestId') },
      RetryAfter: { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 1 } },
    },
    schemas: componentSchemas([
      'SuccessResponse',
      'ErrorResponse',
      'ModelId',
      ...JOB_SCHEMAS,
      ...VOICE_SCHEMAS,
      ...RECEIPT_SCHEMAS,
      ...USAGE_SCHEMAS,
      ...OPENAI_SCHEMAS,
    ]),
  },
});

/** The error table for the documentation. */
export const errorTableMarkdown = (): string =>
  [
    '| HTTP status | Code | Close code | Try again | Meaning |',
    '|---|---|---|---|---|',
    ...Object.entries(ERRORS).map(
      ([code, entry]) =>
        `| ${entry.httpStatus ?? 'none'} | \`${code}\` | ${entry.closeCode ?? '–'} | ${entry.retryable ? 'yes' : 'no'} | ${entry.sentence} |`,
    ),
  ].join('\n');
