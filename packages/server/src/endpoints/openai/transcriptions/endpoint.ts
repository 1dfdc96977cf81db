// OpenAI's file endpoints: POST /v1/audio/transcriptions and /v1/audio/translations.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { SpeechTask } from '../../../calls/call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { addFileEndpoint, type FileEndpointParts } from '../../../transport/http/upload/file-endpoint.ts';
import { bearerKeyOf } from '../api-key.ts';
import { answerWithEvents } from './event-stream.ts';
import { openAiForm, openAiRequestOf } from './form.ts';
import { renderTranscription } from './response.ts';

export const addTranscriptions = (app: FastifyInstance, names: ModelNames, parts: FileEndpointParts): void => {
  const form = openAiForm(names);
  const add = (url: string, task: SpeechTask) =>
    addFileEndpoint(
      app,
      {
        url,
        formats: 'all',
        form,
        keyOf: ({ headers }) => bearerKeyOf(headers),
        requestOf: (values) => openAiRequestOf(values, task),
        answer: (call, request, reply) =>
          request.isStreamed
            ? answerWithEvents(call, reply)
            : call.run(() => call.transcribe((transcribed) => renderTranscription(transcribed, request))),
      },
      parts,
    );
  add(PATHS.openAiTranscriptions, 'transcribe');
  add(PATHS.openAiTranslations, 'translate');
};
