// The OpenAI-compatible endpoints in the OpenAPI document.
import { LIMITS } from '../limits.ts';
import { PATHS } from '../wire.ts';
import type { Json } from './json-schemas.ts';
import { failuresWith, IDEMPOTENCY_KEY, jsonContent, multipart, ref, response } from './responses.ts';
import { SPEAKER_PARTS } from './speaker-parts.ts';
import '../openai.ts';

export const OPENAI_SCHEMAS = [
  'OpenAiError',
  'OpenAiTranscription',
  'OpenAiVerboseTranscription',
  'OpenAiDiarizedSegment',
  'OpenAiDiarizedTranscription',
  'OpenAiTextDelta',
  'OpenAiTextDone',
  'OpenAiModel',
  'OpenAiModelList',
] as const;

const failures = failuresWith('OpenAiError');

const FILE_FAILURES = failures(
  [400, 'A part is missing or invalid (`param` names it), or the file cannot be decoded (`unsupported_format`).'],
  [401, 'The key is missing or invalid (`invalid_api_key`).'],
  [404, 'There is no model with this name (`model_not_found`).'],
  'REQUEST_TIMEOUT',
  [
    413,
    `The file is larger than ${LIMITS.fileBytesMax / 1024 / 1024} MB (\`file_too_large\`) or too long (\`audio_too_long\`).`,
  ],
  [422, 'The Idempotency-Key was already used for a different request (`idempotency_key_reused`).'],
  [429, 'The account has reached a limit (`rate_limit_exceeded`).'],
  'INTERNAL_ERROR',
  [503, 'The service cannot serve this request now (`service_unavailable`).'],
);

const text = (description: string): Json => ({ type: 'string', description });
const list = (items: Json, description: string): Json => ({ type: 'array', items, description });

const COMMON_PARTS: Json = {
  file: {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'The audio. Its format is detected from the content.',
  },
  model: text('A name from `GET /v1/models`: a tier, or an OpenAI name that maps to one.'),
  prompt: text('Names and spellings in it are used as vocabulary. Instructions are ignored.'),
  response_format: { enum: ['json', 'text', 'srt', 'verbose_json', 'vtt'], default: 'json' },
  temperature: { type: 'number', minimum: 0, maximum: 1, description: 'Validated, but has no effect.' },
  stream: { type: 'boolean', default: false, description: 'Answer with server-sent events.' },
};

const TRANSCRIPTION_PARTS: Json = {
  ...COMMON_PARTS,
  language: text('ISO 639-1 hint, or the English name.'),
  'languages[]': list(
    { type: 'string' },
    'The languages that may be spoken; detection chooses among them, and a single one is not detected.',
  ),
  'keywords[]': list({ type: 'string', maxLength: 100 }, 'Vocabulary for this request.'),
  'timestamp_granularities[]': list({ enum: ['word', 'segment'] }, 'For `verbose_json`.'),
  'include[]': list({ enum: ['logprobs'] }, 'For `json`.'),
  response_format: {
    enum: ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'],
    default: 'json',
    description: '`diarized_json` names the speaker of each segment.',
  },
  'known_speaker_names[]': list({ type: 'string', maxLength: 100 }, 'For `diarized_json`: up to four people.'),
  'known_speaker_references[]': list(
    { type: 'string' },
    'A data URL of 2 to 10 s of audio for each name, in the same order.',
  ),
  ...SPEAKER_PARTS,
};

const ANSWERS = response('The transcript in the requested format; with `stream=true`, events.', {
  'application/json': {
    schema: { anyOf: ['OpenAiTranscription', 'OpenAiVerboseTranscription', 'OpenAiDiarizedTranscription'].map(ref) },
  },
  'text/plain': { schema: { type: 'string' } },
  'text/vtt': { schema: { type: 'string' } },
  'text/event-stream': { schema: { anyOf: ['OpenAiTextDelta', 'OpenAiDiarizedSegment', 'OpenAiTextDone'].map(ref) } },
});

const security = [{ bearer: [] }, { apiKey: [] }];

const fileOperation = (operationId: string, summary: string, properties: Json): Json => ({
  post: {
    operationId,
    summary,
    security,
    parameters: [IDEMPOTENCY_KEY],
    requestBody: multipart({ type: 'object', required: ['file', 'model'], properties }),
    responses: { '200': ANSWERS, ...FILE_FAILURES },
  },
});

const KEY_FAILURES = failures('UNAUTHORIZED', [503, 'The service is shutting down.']);

export const openAiPaths: Json = {
  [PATHS.openAiTranscriptions]: fileOperation(
    'createTranscription',
    "Transcribe a file, in OpenAI's format",
    TRANSCRIPTION_PARTS,
  ),
  [PATHS.openAiTranslations]: fileOperation('createTranslation', 'Translate speech into English text', COMMON_PARTS),
  [PATHS.models]: {
    get: {
      operationId: 'listModels',
      summary: 'List the names accepted as `model`',
      security,
      responses: { '200': response('The list.', jsonContent('OpenAiModelList')), ...KEY_FAILURES },
    },
  },
  [`${PATHS.models}/{model}`]: {
    get: {
      operationId: 'retrieveModel',
      summary: 'Check whether a name is accepted as `model`',
      security,
      parameters: [{ name: 'model', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        '200': response('It is accepted.', jsonContent('OpenAiModel')),
        ...KEY_FAILURES,
        ...failures([404, 'It is not accepted.']),
      },
    },
  },
};
