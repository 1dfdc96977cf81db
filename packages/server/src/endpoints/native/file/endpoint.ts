// The contract's file endpoint: POST /v1/transcribe.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { Render } from '../../../calls/files/file-call.ts';
import type { TranscribedAudio } from '../../../calls/files/upload.ts';
import { successBody } from '../../../calls/success-response.ts';
import { apiKeyOf } from '../../../transport/http/api-key.ts';
import {
  addFileEndpoint,
  type FileEndpoint,
  type FileEndpointParts,
} from '../../../transport/http/upload/file-endpoint.ts';
import type { NativeSettings } from '../settings.ts';
import { TRANSCRIBE_FORM, type TranscribeRequest, type TranscribeValues, transcribeRequestOf } from './form.ts';

export interface TranscribeParts extends FileEndpointParts {
  readonly config: FileEndpointParts['config'] & NativeSettings;
}

export const addTranscribe = (app: FastifyInstance, parts: TranscribeParts): void =>
  addNativeFiles(app, parts, {
    url: PATHS.transcribe,
    accepts: { formats: parts.config.fileFormats, lengths: 'contract' },
    form: TRANSCRIBE_FORM,
  });

/** Adds an endpoint with the contract's form and answer; `endpoint` decides which files it accepts. */
export const addNativeFiles = (
  app: FastifyInstance,
  parts: FileEndpointParts,
  endpoint: Pick<FileEndpoint<TranscribeValues, TranscribeRequest>, 'url' | 'accepts' | 'form'>,
): void => {
  addFileEndpoint(
    app,
    {
      ...endpoint,
      keyOf: ({ headers }) => apiKeyOf(headers),
      requestOf: transcribeRequestOf,
      answer: (call, { include, split, transcription }) => {
        const render: Render<TranscribedAudio> = (transcribed) => ({
          contentType: 'application/json; charset=utf-8',
          body: JSON.stringify(successBody(transcribed, { requestId: call.requestId, include })),
        });
        return call.run(() => (split ? call.transcribeSplit(transcription, split, render) : call.transcribe(render)));
      },
    },
    parts,
  );
};
