// Deepgram's endpoints: POST /v1/listen for files and GET /v1/listen for live audio.
import type { FastifyInstance } from 'fastify';
import { addListenFile, type ListenParts } from './listen.ts';
import { addDeepgramStream, type DeepgramStreamParts } from './live/endpoint.ts';

export const addDeepgram = (app: FastifyInstance, parts: ListenParts & DeepgramStreamParts): void => {
  addListenFile(app, parts);
  addDeepgramStream(app, parts);
};
