// Deepgram as a part of the server: its settings and endpoints.
import type { FastifyInstance } from 'fastify';
import type { ListenFileParts } from './file/endpoint.ts';
import type { DeepgramStreamParts } from './live/endpoint.ts';
import { deepgramSettings } from './settings.ts';

export const deepgram = {
  settings: deepgramSettings,
  open: async (parts: ListenFileParts & DeepgramStreamParts & { readonly http: FastifyInstance }): Promise<null> => {
    const { addDeepgram } = await import('./register.ts');
    addDeepgram(parts.http, parts);
    return null;
  },
};
