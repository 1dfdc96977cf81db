// Routes for a person's own name and sign-in sessions. The sign-in library itself changes passwords.
import { changeMe, type OwnSignIn } from '@faircopy/contract';
import type { FastifyInstance } from 'fastify';
import { endSession, hasPassword, renamePerson, sessionIdOf, sessionsOf } from '../../accounts/people/own-sign-in.ts';
import { parsed, signedInPerson, webHeaders } from './guard.ts';
import type { ConsolePorts } from './ports.ts';
import { iso } from './shapes.ts';

export const registerProfileRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage, signIn } = ports;

  app.get('/console/api/me/sign-in', async (request): Promise<OwnSignIn> => {
    const person = await signedInPerson(ports, request);
    const [current, sessions, withPassword] = await Promise.all([
      sessionIdOf(signIn, webHeaders(request)),
      sessionsOf(storage, person.id),
      hasPassword(storage.read, person.id),
    ]);
    return {
      has_password: withPassword,
      sessions: sessions.map((session) => ({
        id: session.id,
        created_at: iso(session.createdAtMs),
        expires_at: iso(session.expiresAtMs),
        user_agent: session.userAgent,
        address: session.address,
        is_current: session.id === current,
      })),
    };
  });

  app.patch('/console/api/me', async (request, reply) => {
    const person = await signedInPerson(ports, request);
    await renamePerson(storage, { personId: person.id, name: parsed(changeMe, request.body).name });
    return reply.code(204).send();
  });

  app.delete<{ Params: { id: string } }>('/console/api/me/sessions/:id', async (request, reply) => {
    const person = await signedInPerson(ports, request);
    await endSession(storage, { personId: person.id, sessionId: request.params.id });
    return reply.code(204).send();
  });
};
