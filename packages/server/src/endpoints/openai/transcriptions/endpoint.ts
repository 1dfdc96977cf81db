// OpenAI's file endpoints: POST /v1/audio/transcriptions and /v1/audio/translations.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { SpeechTask } from '../../../calls/call.ts';
import { EVERY_FILE } from '../../../calls/files/accepted-files.ts';
import type { Render } from '../../../calls/files/file-call.ts';
import type { TranscribedAudio } from '../../../calls/files/upload.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import type { LongFileSettings } from '../../../calls/settings.ts';
import { addFileEndpoint, type FileEndpointParts } from '../../../transport/http/upload/file-endpoint.ts';
import { bearerKeyOf } from '../api-key.ts';
import { answerWithEvents } from './event-stream.ts';
import { openAiForm, openAiRequestOf } from './form.ts';
import { clipsOf, REFERENCES_FIELD } from './known-speakers.ts';
import { warningHeaders } from './options.ts';
import { renderTranscription } from './response.ts';

const MB = 1024 * 1024;

export interface TranscriptionsParts extends FileEndpointParts {
  readonly config: FileEndpointParts['config'] & Pick<LongFileSettings, 'longFileMb'>;
}

export const addTranscriptions = (app: FastifyInstance, names: ModelNames, parts: TranscriptionsParts): void => {
  const form = openAiForm(names, parts.config.longFileMb * MB);
  const add = (url: string, task: SpeechTask) =>
    addFileEndpoint(
      app,
      {
        url,
        accepts: EVERY_FILE,
        form,
        keyOf: ({ headers }) => bearerKeyOf(headers),
        requestOf: (values) => openAiRequestOf(values, task),
        answer: async (call, request, reply) => {
          const { known } = request;
          if (known) await call.run(async () => call.readVoices(known.voices, clipsOf(known), REFERENCES_FIELD));
          const { isStreamed, split, transcription } = request;
          if (isStreamed) return answerWithEvents(call, request, reply.headers(warningHeaders(request.warnings)));
          const render: Render<TranscribedAudio> = (transcribed) => renderTranscription(transcribed, request);
          return call.run(() => (split ? call.transcribeSplit(transcription, split, render) : call.transcribe(render)));
        },
      },
      parts,
    );
  add(PATHS.openAiTranscriptions, 'transcribe');
  add(PATHS.openAiTranslations, 'translate');
};
