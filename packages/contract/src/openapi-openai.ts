// The OpenAI-compatible endpoints in the OpenAPI document.
import { type Json, schemaReference as refTo } from './json-schemas.ts';
import { LIMITS } from './limits.ts';
import { IDEMPOTENCY_KEY } from './openapi-jobs.ts';
import { PATHS } from './wire.ts';
import './openai.ts';

export const OPENAI_SCHEMAS = [
  'OpenAiError',
  'OpenAiTranscription',
  'OpenAiVerboseTranscription',
  'OpenAiTextDelta',
  'OpenAiTextDone',
  'OpenAiModel',
  'OpenAiModelList',
] as const;

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };
const json = (schema: string): Json => ({ 'application/json': { schema: { $ref: refTo(schema) } } });

const failures = (...statuses: readonly [status: number, description: string][]): Json =>
  Object.fromEntries(
    statuses.map(([status, description]) => [String(status), { description, headers, content: json('OpenAiError') }]),
  );

const FILE_FAILURES = failures(
  [400, 'A part is missing or wrong (`param` names it), or the file cannot be decoded (`unsupported_format`).'],
  [401, 'The key is missing or not valid (`invalid_api_key`).'],
  [404, 'No model of that name is known (`model_not_found`).'],
  [408, 'The upload took too long to arrive.'],
  [
    413,
    `The file is larger than ${LIMITS.fileBytesMax / 1024 / 1024} MB (\`file_too_large\`) or too long (\`audio_too_long\`).`,
  ],
  [422, 'The Idempotency-Key was sent before, with another request (`idempotency_key_reused`).'],
  [429, 'The account has as much under way as it may have (`rate_limit_exceeded`).'],
  [500, 'Something failed on our side.'],
  [503, 'The service cannot serve this request now (`service_unavailable`).'],
);

const text = (description: string): Json => ({ type: 'string', description });
const list = (items: Json, description: string): Json => ({ type: 'array', items, description });

const COMMON_PARTS: Json = {
  file: {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'The audio, judged by its content.',
  },
  model: text('A name of `GET /v1/models`: a tier of ours, or a name of OpenAI that stands for one.'),
  prompt: text('Names and spellings in it are terms of this request. It is never obeyed.'),
  response_format: { enum: ['json', 'text', 'srt', 'verbose_json', 'vtt'], default: 'json' },
  temperature: { type: 'number', minimum: 0, maximum: 1, description: 'Checked, and then left alone.' },
  stream: { type: 'boolean', default: false, description: 'Answer with server-sent events.' },
};

const TRANSCRIPTION_PARTS: Json = {
  ...COMMON_PARTS,
  language: text('ISO 639-1 hint, or the English name.'),
  'languages[]': list({ type: 'string' }, 'Candidates; a single one is a hint.'),
  'keywords[]': list({ type: 'string', maxLength: 100 }, 'Terms of this request.'),
  'timestamp_granularities[]': list({ enum: ['word', 'segment'] }, 'For `verbose_json`.'),
  'include[]': list({ enum: ['logprobs'] }, 'For `json`.'),
};

const ANSWERS: Json = {
  description: 'The transcript in the format that was asked for; with `stream=true`, events.',
  headers,
  content: {
    'application/json': {
      schema: { anyOf: [{ $ref: refTo('OpenAiTranscription') }, { $ref: refTo('OpenAiVerboseTranscription') }] },
    },
    'text/plain': { schema: { type: 'string' } },
    'text/vtt': { schema: { type: 'string' } },
    'text/event-stream': {
      schema: { anyOf: [{ $ref: refTo('OpenAiTextDelta') }, { $ref: refTo('OpenAiTextDone') }] },
    },
  },
};

const fileOperation = (operationId: string, summary: string, properties: Json): Json => ({
  post: {
    operationId,
    summary,
    security: [{ bearer: [] }, { apiKey: [] }],
    parameters: [IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: { type: 'object', required: ['file', 'model'], properties } } },
    },
    responses: { '200': ANSWERS, ...FILE_FAILURES },
  },
});

const KEY_FAILURES = failures([401, 'The key is missing or not valid.'], [503, 'The service is stopping.']);

export const openAiPaths: Json = {
  [PATHS.openAiTranscriptions]: fileOperation(
    'createTranscription',
    "Transcribe a file, in OpenAI's words",
    TRANSCRIPTION_PARTS,
  ),
  [PATHS.openAiTranslations]: fileOperation('createTranslation', 'Translate speech into English text', COMMON_PARTS),
  [PATHS.models]: {
    get: {
      operationId: 'listModels',
      summary: 'Names that are taken as `model`',
      security: [{ bearer: [] }, { apiKey: [] }],
      responses: { '200': { description: 'The list.', headers, content: json('OpenAiModelList') }, ...KEY_FAILURES },
    },
  },
  [`${PATHS.models}/{model}`]: {
    get: {
      operationId: 'retrieveModel',
      summary: 'Whether a name is taken as `model`',
      security: [{ bearer: [] }, { apiKey: [] }],
      parameters: [{ name: 'model', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        '200': { description: 'It is.', headers, content: json('OpenAiModel') },
        ...KEY_FAILURES,
        ...failures([404, 'It is not.']),
      },
    },
  },
};
