// The file endpoint of the contract: POST /v1/transcribe.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { keyInHeader, requireKey } from '../../calls/presented-key.ts';
import { successBody } from '../../calls/success-response.ts';
import { addFileEndpoint, type FileEndpointParts } from '../../transport/http/upload/file-endpoint.ts';
import type { NativeSettings } from './settings.ts';
import { readTranscribeRequest, TRANSCRIBE_FORM } from './transcribe-form.ts';

export interface TranscribeParts extends FileEndpointParts {
  readonly config: FileEndpointParts['config'] & NativeSettings;
  /** Another address than the contract's. */
  readonly url?: string;
}

const HOW_TO_SEND_THE_KEY = 'Send it as "Authorization: Token <API_KEY>".';

export const addTranscribe = (app: FastifyInstance, parts: TranscribeParts): void => {
  addFileEndpoint(
    app,
    {
      url: parts.url ?? PATHS.transcribe,
      formats: parts.config.fileFormats,
      form: TRANSCRIBE_FORM,
      keyOf: ({ headers }) => requireKey(keyInHeader(headers.authorization), HOW_TO_SEND_THE_KEY),
      read: readTranscribeRequest,
      isIncomplete: (fields) => fields.get('model') === undefined,
      answer: (call, { include }) =>
        call.run(() =>
          call.transcribe((transcribed) => ({
            contentType: 'application/json; charset=utf-8',
            body: JSON.stringify(successBody(transcribed, { requestId: call.requestId, include })),
          })),
        ),
    },
    parts,
  );
};
