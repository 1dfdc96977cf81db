// Deepgram's endpoints: POST /v1/listen for files, GET /v1/listen for live audio, GET /v2/listen for turns.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { deepgramErrors, manageErrors } from './error-format.ts';
import { addListenFile, type ListenFileParts } from './file/endpoint.ts';
import { addDeepgramStreams, type DeepgramStreamParts } from './streams.ts';
import { addDeepgramUsage, type DeepgramUsageParts } from './usage.ts';

/** Paths of Deepgram's other APIs. Except for reading usage, they answer 404 here. */
const MANAGE_PATHS = ['/v1/projects', '/v1/auth', '/v1/speak', '/v1/read', '/v1/agent'];

export const addDeepgram = (
  app: FastifyInstance,
  parts: ListenFileParts & DeepgramStreamParts & DeepgramUsageParts,
): void => {
  app.errorFormats.add(PATHS.deepgramListen, deepgramErrors);
  app.errorFormats.add(PATHS.deepgramTurns, deepgramErrors);
  for (const path of MANAGE_PATHS) app.errorFormats.add(path, manageErrors);
  addListenFile(app, parts);
  addDeepgramStreams(app, parts);
  addDeepgramUsage(app, parts);
};
