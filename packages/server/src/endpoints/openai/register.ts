// The OpenAI-compatible endpoints: transcriptions, translations and models, with OpenAI's parameters, answers and errors.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { SpeechTask } from '../../calls/call.ts';
import { ModelNames } from '../../calls/model-names.ts';
import {
  addFileEndpoint,
  type FileEndpoint,
  type FileEndpointParts,
} from '../../transport/http/upload/file-endpoint.ts';
import { bearerKey } from './bearer-key.ts';
import { openAiErrors } from './error-format.ts';
import { answerWithEvents } from './event-stream.ts';
import { addModels } from './models.ts';
import { OPENAI_FORM, type OpenAiRequest, readOpenAiRequest } from './parameters.ts';
import { addClientSecrets } from './realtime/client-secrets-endpoint.ts';
import { addRealtime, type RealtimeStreamParts } from './realtime/endpoint.ts';
import { renderTranscription } from './responses.ts';

export interface OpenAiParts extends FileEndpointParts, RealtimeStreamParts {
  readonly config: FileEndpointParts['config'] & RealtimeStreamParts['config'];
}

export const addOpenAi = (app: FastifyInstance, parts: OpenAiParts): void => {
  const { config, calls } = parts;
  const names = new ModelNames(config.modelAliases, config.models);
  for (const path of ['/v1/audio', PATHS.models]) app.errorFormats.add(path, openAiErrors);
  addModels(app, { calls, names });
  const endpointOf = (url: string, task: SpeechTask): FileEndpoint<OpenAiRequest> => ({
    url,
    formats: 'all',
    form: OPENAI_FORM,
    keyOf: bearerKey,
    read: (fields) => readOpenAiRequest(fields, names, task),
    isIncomplete: (fields) => fields.get('model') === undefined,
    answer,
  });
  addFileEndpoint(app, endpointOf(PATHS.openAiTranscriptions, 'transcribe'), parts);
  addFileEndpoint(app, endpointOf(PATHS.openAiTranslations, 'translate'), parts);
  addClientSecrets(app, parts);
  addRealtime(app, parts);
};

const answer: FileEndpoint<OpenAiRequest>['answer'] = async (call, asked, reply) => {
  if (asked.isStreamed) return answerWithEvents(call, reply);
  return call.run(() => call.transcribe((transcribed) => renderTranscription(transcribed, asked)));
};
