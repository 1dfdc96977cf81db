// The OpenAI-compatible endpoints: transcriptions, translations, models and realtime sessions.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { FileEndpointParts } from '../../transport/http/upload/file-endpoint.ts';
import { openAiErrors } from './error-format.ts';
import { addModels } from './models.ts';
import { addClientSecrets } from './realtime/client-secrets-endpoint.ts';
import { addRealtime, type RealtimeStreamParts } from './realtime/endpoint.ts';
import { addTranscriptions, type TranscriptionsParts } from './transcriptions/endpoint.ts';

export interface OpenAiParts extends FileEndpointParts, RealtimeStreamParts {
  readonly config: TranscriptionsParts['config'] & RealtimeStreamParts['config'];
}

export const addOpenAi = (app: FastifyInstance, parts: OpenAiParts): void => {
  const { calls, names } = parts;
  for (const path of ['/v1/audio', PATHS.models, PATHS.openAiRealtime]) app.errorFormats.add(path, openAiErrors);
  addModels(app, { calls, names });
  addTranscriptions(app, names, parts);
  addClientSecrets(app, parts);
  addRealtime(app, parts);
};
