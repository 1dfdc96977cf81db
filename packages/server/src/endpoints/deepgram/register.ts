// Deepgram's endpoints: POST /v1/listen for files and GET /v1/listen for live audio.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { deepgramErrors } from './error-format.ts';
import { addListenFile, type ListenFileParts } from './file/endpoint.ts';
import { addDeepgramStream, type DeepgramStreamParts } from './live/endpoint.ts';

export const addDeepgram = (app: FastifyInstance, parts: ListenFileParts & DeepgramStreamParts): void => {
  app.errorFormats.add(PATHS.deepgramListen, deepgramErrors);
  addListenFile(app, parts);
  addDeepgramStream(app, parts);
};
