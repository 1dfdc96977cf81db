// Known voices in the OpenAPI document.
import { VOICE_LIMITS } from '../voices.ts';
import { PATHS } from '../wire.ts';
import type { Json } from './json-schemas.ts';
import { failures, jsonContent, multipart, ref, response } from './responses.ts';

export const VOICE_SCHEMAS = [
  'VoiceResponse',
  'VoiceListResponse',
  'VoiceExportResponse',
  'VoiceDeletedResponse',
  'VoiceAuditResponse',
] as const;

const KEY_FAILURES = ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'] as const;
const DISABLED: [number, string] = [404, 'Known voices are disabled.'];
const ABSENT: [number, string] = [404, 'There is no such voice, or known voices are disabled.'];
const ID: Json = { name: 'id', in: 'path', required: true, schema: ref('RequestId') };

const FORM: Json = {
  type: 'object',
  required: ['audio', 'name', 'consent'],
  properties: {
    audio: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description:
        `One person, ${VOICE_LIMITS.speechSecondsMin} to ${VOICE_LIMITS.speechSecondsMax} seconds of speech in at most ` +
        `${VOICE_LIMITS.audioSecondsMax} seconds of audio.`,
    },
    name: { type: 'string', maxLength: VOICE_LIMITS.nameCharactersMax },
    consent: {
      type: 'string',
      const: 'true',
      description: 'Confirms that the person has agreed to the enrolment of their voice, which is biometric data.',
    },
  },
};

export const voicePaths: Json = {
  [PATHS.voices]: {
    post: {
      operationId: 'enrolVoice',
      summary: 'Enrol the voice of a person who has agreed to it',
      description: 'An extension, disabled unless the operator enables it. The audio is not kept. Nothing is billed.',
      requestBody: multipart(FORM),
      responses: {
        '201': response('The voice is enrolled.', jsonContent('VoiceResponse')),
        ...failures(
          [400, 'A field is missing or invalid, consent is not confirmed, or the audio cannot be decoded.'],
          DISABLED,
          'REQUEST_TIMEOUT',
          [409, 'The account has reached its limit of voices.'],
          [413, 'The file is too large or too long.'],
          [422, 'Too little speech, more than one voice, or music and noise.'],
          [429, 'Another enrolment of the account is in progress.'],
          ...KEY_FAILURES,
        ),
      },
    },
    get: {
      operationId: 'listVoices',
      summary: 'List the enrolled voices, oldest first',
      responses: {
        '200': response('The voices.', jsonContent('VoiceListResponse')),
        ...failures(DISABLED, ...KEY_FAILURES),
      },
    },
  },
  [PATHS.voiceAudit]: {
    get: {
      operationId: 'listVoiceEvents',
      summary: 'List who enrolled, used, exported and deleted voices, newest first',
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        { name: 'before', in: 'query', schema: ref('RequestId') },
      ],
      responses: {
        '200': response('A page of entries.', jsonContent('VoiceAuditResponse')),
        ...failures([400, 'A parameter is invalid.'], DISABLED, ...KEY_FAILURES),
      },
    },
  },
  [`${PATHS.voices}/{id}`]: {
    delete: {
      operationId: 'deleteVoice',
      summary: 'Delete a voice at once',
      parameters: [ID],
      responses: {
        '200': response('The voice is deleted.', jsonContent('VoiceDeletedResponse')),
        ...failures(ABSENT, ...KEY_FAILURES),
      },
    },
  },
  [`${PATHS.voices}/{id}/export`]: {
    get: {
      operationId: 'exportVoice',
      summary: 'Get everything that is stored about a voice',
      parameters: [ID],
      responses: {
        '200': response('The voice.', jsonContent('VoiceExportResponse')),
        ...failures(ABSENT, [409, 'The print was made with another secret.'], ...KEY_FAILURES),
      },
    },
  },
};
