// The contract's file endpoint: POST /v1/transcribe.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { successBody } from '../../../calls/success-response.ts';
import { apiKeyOf } from '../../../transport/http/api-key.ts';
import { addFileEndpoint, type FileEndpointParts } from '../../../transport/http/upload/file-endpoint.ts';
import type { NativeSettings } from '../settings.ts';
import { TRANSCRIBE_FORM, transcribeRequestOf } from './form.ts';

export interface TranscribeParts extends FileEndpointParts {
  readonly config: FileEndpointParts['config'] & NativeSettings;
  /** Default: the contract's path. */
  readonly url?: string;
}

export const addTranscribe = (app: FastifyInstance, parts: TranscribeParts): void => {
  addFileEndpoint(
    app,
    {
      url: parts.url ?? PATHS.transcribe,
      formats: parts.config.fileFormats,
      form: TRANSCRIBE_FORM,
      keyOf: ({ headers }) => apiKeyOf(headers),
      requestOf: transcribeRequestOf,
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
