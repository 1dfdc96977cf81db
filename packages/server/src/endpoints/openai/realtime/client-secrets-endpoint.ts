// POST /v1/realtime/client_secrets: a short-lived key for browsers that opens realtime sessions only.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { Calls } from '../../../calls/calls.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import { bearerKeyOf } from '../api-key.ts';

const LIFE_SECONDS = { min: 10, max: 7_200, default: 600 };

const lifeOf = (body: unknown): number => {
  const { expires_after: after } = (body ?? {}) as { expires_after?: { seconds?: unknown } };
  const seconds = after?.seconds ?? LIFE_SECONDS.default;
  if (Number.isInteger(seconds) && Number(seconds) >= LIFE_SECONDS.min && Number(seconds) <= LIFE_SECONDS.max)
    return Number(seconds);
  const message = `"expires_after.seconds" must be from ${LIFE_SECONDS.min} to ${LIFE_SECONDS.max}.`;
  throw invalidRequest(message, 'expires_after.seconds');
};

export const addClientSecrets = (app: FastifyInstance, { calls }: { readonly calls: Calls }): void => {
  app.post(
    PATHS.openAiClientSecrets,
    {
      onRequest: async ({ headers, clientAddress }) =>
        void (await calls.authenticate(bearerKeyOf(headers), { scope: 'stream', address: clientAddress })),
    },
    async ({ headers, body }) => {
      const expiresAt = Math.floor(Date.now() / 1000) + lifeOf(body);
      const { session = { type: 'transcription' } } = (body ?? {}) as { session?: object };
      const value = await calls.createClientSecret(bearerKeyOf(headers), expiresAt * 1000);
      return { value, expires_at: expiresAt, session };
    },
  );
};
