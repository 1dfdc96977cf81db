// The OpenAI API as a module of the server: its model names and endpoints.
import type { FastifyInstance } from 'fastify';
import { declareSettings } from '../../config/setting.ts';
import { OPENAI_MODELS } from './model-aliases.ts';
import type { OpenAiParts } from './register.ts';

interface OpenAiSources extends OpenAiParts {
  readonly http: FastifyInstance;
}

export const openai = {
  settings: declareSettings({ topic: 'Endpoints', settings: {} }),
  modelAliases: OPENAI_MODELS,
  open: async (sources: OpenAiSources): Promise<null> => {
    const { addOpenAi } = await import('./register.ts');
    addOpenAi(sources.http, sources);
    return null;
  },
};
