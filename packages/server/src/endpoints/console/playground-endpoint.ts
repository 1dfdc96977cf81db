// The playground's file endpoint: POST /v1/transcribe, but for every format that can be decoded.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { addTranscribe } from '../native/file/endpoint.ts';
import type { ConsolePorts } from './ports.ts';

export const registerPlaygroundEndpoint = (
  app: FastifyInstance,
  { calls, uploadTimeoutMs = 0 }: ConsolePorts,
): void => {
  if (calls)
    addTranscribe(app, {
      config: { uploadTimeoutMs, fileFormats: 'all' },
      calls,
      url: `/console/api${PATHS.transcribe}`,
    });
};
