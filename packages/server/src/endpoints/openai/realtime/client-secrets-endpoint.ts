// POST /v1/realtime/client_secrets: a key for a browser that lasts some minutes and opens realtime sessions only.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { Calls } from '../../../calls/calls.ts';
import { Fault } from '../../../lib/fault.ts';
import { bearerKey } from '../bearer-key.ts';
import { openAiErrors } from '../error-format.ts';
import type { ClientSecrets } from './client-secrets.ts';

const LIFE_SECONDS = { min: 10, max: 7_200, default: 600 };

const lifeOf = (body: unknown): number => {
  const { expires_after: after } = (body ?? {}) as { expires_after?: { seconds?: unknown } };
  const seconds = after?.seconds ?? LIFE_SECONDS.default;
  if (Number.isInteger(seconds) && Number(seconds) >= LIFE_SECONDS.min && Number(seconds) <= LIFE_SECONDS.max)
    return Number(seconds);
  const message = `"expires_after.seconds" must be from ${LIFE_SECONDS.min} to ${LIFE_SECONDS.max}.`;
  throw new Fault('INVALID_REQUEST', { message, parameter: 'expires_after.seconds' });
};

export const addClientSecrets = (
  app: FastifyInstance,
  { calls, clientSecrets }: { readonly calls: Calls; readonly clientSecrets: ClientSecrets },
): void => {
  app.errorFormats.add(PATHS.openAiRealtime, openAiErrors);
  app.post(
    PATHS.openAiClientSecrets,
    { onRequest: async (request) => void (await calls.authenticate(bearerKey(request))) },
    async (request) => {
      const expiresAt = Math.floor(Date.now() / 1000) + lifeOf(request.body);
      const { session = { type: 'transcription' } } = (request.body ?? {}) as { session?: object };
      return { value: clientSecrets.seal(bearerKey(request), expiresAt * 1000), expires_at: expiresAt, session };
    },
  );
};
