// The Deepgram API as a module of the server: its settings, model names and endpoints.
import type { FastifyInstance } from 'fastify';
import type { ListenFileParts } from './file/endpoint.ts';
import { DEEPGRAM_MODELS } from './model-aliases.ts';
import { deepgramSettings } from './settings.ts';
import type { DeepgramStreamParts } from './streams.ts';
import type { DeepgramUsageParts } from './usage.ts';

export const deepgram = {
  settings: deepgramSettings,
  modelAliases: DEEPGRAM_MODELS,
  open: async (
    parts: ListenFileParts & DeepgramStreamParts & DeepgramUsageParts & { readonly http: FastifyInstance },
  ): Promise<null> => {
    const { addDeepgram } = await import('./register.ts');
    addDeepgram(parts.http, parts);
    return null;
  },
};
