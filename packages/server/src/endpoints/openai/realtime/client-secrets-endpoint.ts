// POST /v1/realtime/client_secrets: a short-lived key for browsers that opens only realtime sessions, as configured.
import { PATHS } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import type { Calls } from '../../../calls/calls.ts';
import { fitsClientSecret } from '../../../calls/client-sessions.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import { invalidRequest } from '../../../lib/fault.ts';
import { bearerKeyOf } from '../api-key.ts';
import { firstConfig } from './first-config.ts';

const LIFE_SECONDS = { min: 10, max: 7_200, default: 600 };

const lifeOf = (body: unknown): number => {
  const { expires_after: after } = (body ?? {}) as { expires_after?: { seconds?: unknown } };
  const seconds = after?.seconds ?? LIFE_SECONDS.default;
  if (Number.isInteger(seconds) && Number(seconds) >= LIFE_SECONDS.min && Number(seconds) <= LIFE_SECONDS.max)
    return Number(seconds);
  const message = `"expires_after.seconds" must be from ${LIFE_SECONDS.min} to ${LIFE_SECONDS.max}.`;
  throw invalidRequest(message, 'expires_after.seconds');
};

/** Null for the defaults. Throws a Fault when no session could be opened with it. */
const sessionOf = (body: unknown, names: ModelNames): object | null => {
  const { session } = (body ?? {}) as { session?: unknown };
  if (session === undefined || session === null) return null;
  if (typeof session !== 'object' || Array.isArray(session))
    throw invalidRequest('"session" must be an object.', 'session');
  firstConfig(undefined, session, names);
  if (fitsClientSecret(session)) return session;
  throw invalidRequest('"session" is too large for a client secret: send it with session.update.', 'session');
};

interface ClientSecretParts {
  readonly calls: Calls;
  readonly names: ModelNames;
}

export const addClientSecrets = (app: FastifyInstance, { calls, names }: ClientSecretParts): void => {
  app.post(
    PATHS.openAiClientSecrets,
    {
      onRequest: async ({ headers, clientAddress }) =>
        void (await calls.authenticate(bearerKeyOf(headers), { scope: 'stream', address: clientAddress })),
    },
    async ({ headers, body }) => {
      const expiresAt = Math.floor(Date.now() / 1000) + lifeOf(body);
      const session = sessionOf(body, names);
      const value = await calls.createClientSecret(bearerKeyOf(headers), expiresAt * 1000, session);
      return { value, expires_at: expiresAt, session: { type: 'transcription', ...session } };
    },
  );
};
