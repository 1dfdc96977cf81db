// The playground's own file endpoint: like POST /v1/transcribe in everything, but for every format that can be decoded.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { addTranscribe } from '../native/transcribe.ts';
import type { ConsolePorts } from './ports.ts';

/** The contract's endpoint takes three formats, and an operator decides about more; who tries the service sends any. */
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
