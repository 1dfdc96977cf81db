// OpenAI as a part of the server: its model names and endpoints.
import type { FastifyInstance } from 'fastify';
import { declareSettings } from '../../config/setting.ts';
import { OPENAI_MODELS } from './model-aliases.ts';
import type { OpenAiParts } from './register.ts';

interface OpenAiSources extends Omit<OpenAiParts, 'clientSecrets'> {
  readonly http: FastifyInstance;
  /** Of this installation; client secrets are sealed with it. */
  readonly secret: string;
}

export const openai = {
  settings: declareSettings({ topic: 'Endpoints', settings: {} }),
  modelAliases: OPENAI_MODELS,
  open: async (sources: OpenAiSources): Promise<null> => {
    const [{ addOpenAi }, { ClientSecrets }] = await Promise.all([
      import('./register.ts'),
      import('./realtime/client-secrets.ts'),
    ]);
    addOpenAi(sources.http, { ...sources, clientSecrets: new ClientSecrets(sources.secret) });
    return null;
  },
};
