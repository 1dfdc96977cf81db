// Sign-in, sign-out, invitations and password resets.
import { acceptWelcome, forgottenPassword, type Me, newPassword, type Welcome } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountById } from '../../accounts/accounts.ts';
import { personByEmail } from '../../accounts/people/administrators.ts';
import { findInvitation } from '../../accounts/people/invitations.ts';
import { passwordResetMail } from '../../accounts/people/mailer.ts';
import { membershipsOf } from '../../accounts/people/members.ts';
import { createPasswordReset, findPasswordReset, resetPassword } from '../../accounts/people/password-resets.ts';
import { acceptInvitation, joinByInvitation } from '../../accounts/people/people.ts';
import { PEER_HEADER, SIGN_IN_PATH } from '../../accounts/sign-in/sign-in.ts';
import { attemptsKeyOf, SignInAttempts } from '../../accounts/sign-in/sign-in-attempts.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import { consoleLink, parsed, sendMail, signedInPerson, webHeaders } from './guard.ts';
import type { ConsolePorts } from './ports.ts';
import { iso, isoOrNull } from './shapes.ts';

/** The routes of the sign-in library that the console uses. The others are not served. */
const LIBRARY_ROUTES = [
  ['POST', '/sign-in/email'],
  ['POST', '/sign-out'],
  ['POST', '/change-password'],
  ['POST', '/revoke-sessions'],
  ['POST', '/sign-in/oauth2'],
  ['GET', '/oauth2/callback/oidc'],
] as const;

/** A password may be changed because someone else knows it, so all other sessions end. */
const bodyFor = (path: string, body: unknown): unknown =>
  path === '/change-password' ? { ...(body as object | null), revokeOtherSessions: true } : (body ?? {});

const TOO_MANY_REQUESTS = 429;

/** Limits on reset e-mails, per client address and per person, since anyone can request one. */
const RESET_MAILS = { perAddress: { window: 3600, max: 10 }, perPerson: { window: 3600, max: 3 } } as const;

const toWebRequest = (request: FastifyRequest, url: URL, address: string, body?: unknown): Request => {
  const headers = webHeaders(request);
  headers.set(PEER_HEADER, address);
  headers.delete('content-length');
  if (body !== undefined) headers.set('content-type', 'application/json');
  return new Request(url, {
    method: request.method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
};

/** The library refuses this too, but does not say which setting is wrong. */
const refuseOtherOrigin = (origin: string | undefined, url: URL, publicUrl: string | undefined): void => {
  if (origin === undefined || origin === url.origin) return;
  const known = publicUrl === undefined ? 'it is not set' : `it is ${publicUrl}`;
  throw new Fault('FORBIDDEN', {
    message:
      `The browser is at ${harmlessOrigin(origin)}, and this server takes its address to be ${url.origin}. ` +
      `Set FAIRCOPY_PUBLIC_URL to the address in the browser (${known}).`,
  });
};

/** Repeats what the client sent only if it is a URL. */
const harmlessOrigin = (origin: string): string => (URL.canParse(origin) ? new URL(origin).origin : 'another address');

const sendWebResponse = async (reply: FastifyReply, response: Response): Promise<FastifyReply> => {
  if (response.status === TOO_MANY_REQUESTS)
    throw new Fault('RATE_LIMITED', { retryAfterSeconds: Number(response.headers.get('x-retry-after')) || 60 });
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return reply.send(await response.text());
};

export const registerSignInRoutes = (app: FastifyInstance, ports: ConsolePorts): void => {
  const { storage, signIn } = ports;
  /** The URL of a request, for the sign-in library. Not for links: without a public URL the client chooses the host. */
  const addressOf = (request: FastifyRequest, path: string): URL => {
    const url = `${ports.publicUrl ?? `${request.protocol}://${request.host}`}${path}`;
    if (!URL.canParse(url)) throw invalidRequest('The Host header is not valid.');
    return new URL(url);
  };

  const ask = async (request: FastifyRequest, url: URL, body?: unknown): Promise<Response> => {
    refuseOtherOrigin(request.headers.origin, url, ports.publicUrl);
    return signIn.handler(toWebRequest(request, url, request.clientAddress, body));
  };

  for (const [method, path] of LIBRARY_ROUTES)
    app.route({
      method,
      url: `${SIGN_IN_PATH}${path}`,
      handler: async (request, reply) => {
        // Uses the route's path instead of the one sent, which the library might parse differently.
        const url = addressOf(request, `${SIGN_IN_PATH}${path}`);
        url.search = request.url.split('?', 2)[1] ?? '';
        const body = method === 'POST' ? bodyFor(path, request.body) : undefined;
        return sendWebResponse(reply, await ask(request, url, body));
      },
    });

  app.get('/console/api/sign-in-options', async () => ({ oidc: ports.oidcName, mail: ports.mailer !== undefined }));

  app.get('/console/api/me', async (request): Promise<Me> => {
    const person = await signedInPerson(ports, request);
    const accounts = await membershipsOf(storage.read, person.id);
    return {
      person: { id: person.id, name: person.name, email: person.email, is_administrator: person.isAdministrator },
      accounts: accounts.map(({ accountId, accountName, role, sinceMs }) => ({
        id: accountId,
        name: accountName,
        role,
        since: iso(sinceMs),
      })),
      server: {
        version: ports.version,
        models: [...ports.models],
        oidc: ports.oidcName,
        file_formats: ports.fileFormats,
        file_mb_max: ports.longFiles.longFileMb,
        file_seconds_max: ports.longFiles.longFileSeconds,
        mail: ports.mailer !== undefined,
        counts_vocabulary: ports.countsVocabulary,
        known_voices: ports.canEnrolVoices ?? false,
        prices: ports.prices ?? null,
        jobs: ports.jobs
          ? {
              file_mb_max: ports.jobs.upload.fileBytesMax / (1024 * 1024),
              file_seconds_max: ports.jobs.upload.maxDurationSeconds,
              keep_hours: ports.jobs.keepHours,
            }
          : null,
      },
    };
  });

  app.get<{ Params: { token: string } }>('/console/api/welcome/:token', async (request): Promise<Welcome> => {
    const link = await findInvitation(storage.read, request.params.token);
    return {
      purpose: link.purpose,
      account_name: link.accountId === null ? null : (await accountById(storage.read, link.accountId)).name,
      email: link.email,
      expires_at: isoOrNull(link.expiresAtMs),
    };
  });

  const signInWith = (
    request: FastifyRequest,
    credentials: { readonly email: string; readonly password: string },
  ): Promise<Response> => ask(request, addressOf(request, `${SIGN_IN_PATH}/sign-in/email`), credentials);

  app.post<{ Params: { token: string } }>('/console/api/welcome/:token', async (request, reply) => {
    const { token } = request.params;
    const { name, email, password } = parsed(acceptWelcome, request.body);
    const outcome = await acceptInvitation(storage, signIn, token, { name, email, password });
    const response = await signInWith(request, { email, password });
    // A taken address gets the same response as a wrong password.
    if (outcome === 'must join' && response.status === 401)
      throw new Fault('UNAUTHORIZED', {
        message: 'The address and password were not accepted. If you have a sign-in here, enter its password.',
      });
    if (outcome === 'must join' && response.ok)
      await joinByInvitation(storage, token, await personByEmail(storage.write, email));
    return sendWebResponse(reply, response);
  });

  app.post<{ Params: { token: string } }>('/console/api/welcome/:token/join', async (request) => {
    const person = await signedInPerson(ports, request);
    const { accountId } = await joinByInvitation(storage, request.params.token, person);
    return { account_id: accountId };
  });

  app.get<{ Params: { token: string } }>('/console/api/reset/:token', async (request) => {
    const { email } = await findPasswordReset(storage.read, request.params.token);
    return { email };
  });

  app.post<{ Params: { token: string } }>('/console/api/reset/:token', async (request, reply) => {
    const { password } = parsed(newPassword, request.body);
    const { email } = await resetPassword(storage, signIn, request.params.token, password);
    return sendWebResponse(reply, await signInWith(request, { email, password }));
  });

  const attempts = new SignInAttempts(storage);
  app.post('/console/api/forgotten-password', async (request, reply) => {
    if (!ports.mailer)
      throw new Fault('NOT_FOUND', { message: 'This server sends no e-mail. Ask an administrator for a reset link.' });
    const { email } = parsed(forgottenPassword, request.body);
    const { allowed, retryAfter } = await attempts.consume(`reset ${request.clientAddress}`, RESET_MAILS.perAddress);
    if (!allowed) throw new Fault('RATE_LIMITED', { retryAfterSeconds: retryAfter ?? RESET_MAILS.perAddress.window });
    // Not awaited, and always the same response, so that nobody learns who has a sign-in.
    void sendReset(email).catch((cause) => ports.onMailFailure?.(cause));
    return reply.code(204).send();
  });

  const sendReset = async (email: string): Promise<void> => {
    const person = await personByEmail(storage.read, email).catch(() => null);
    if (!person) return;
    const { allowed } = await attempts.consume(`reset ${attemptsKeyOf(email)}`, RESET_MAILS.perPerson);
    if (!allowed) return;
    const { token } = await createPasswordReset(storage, person.id);
    await sendMail(ports, passwordResetMail(person.email, consoleLink(ports, `/reset/${token}`)));
  };
};
