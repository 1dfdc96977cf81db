// Access checks of the console's API: same site only, signed-in people only, members only to their own accounts.
import type { MemberRole } from '@faircopy/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Account, accountById } from '../../accounts/accounts.ts';
import type { MailMessage } from '../../accounts/people/mailer.ts';
import { membershipsOf } from '../../accounts/people/members.ts';
import { type Person, personSignedIn } from '../../accounts/people/people.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import type { ConsolePorts } from './ports.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The request's headers as the sign-in library expects them. */
export const webHeaders = (request: FastifyRequest): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  return headers;
};

/** Responses of the API are private, so neither proxies nor browsers may cache them. */
export const keepFromCaches = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  if (request.url.startsWith('/console/api/')) reply.header('cache-control', 'no-store');
};

/** PostgreSQL rejects queries with a NUL character. */
export const refuseNul = async (request: FastifyRequest): Promise<void> => {
  if (request.url.includes('%00')) throw invalidRequest('The URL has a NUL character.');
};

/** Refuses requests that another site's page made the browser send (CSRF). */
export const refuseCrossSite =
  ({ publicUrl }: Pick<ConsolePorts, 'publicUrl'>) =>
  async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    if (SAFE_METHODS.has(request.method)) return;
    const site = request.headers['sec-fetch-site'];
    // Browsers omit Sec-Fetch-Site on plain http, so compare the origin.
    const isOurs = site === undefined ? isOurOrigin(request, publicUrl) : site === 'same-origin' || site === 'none';
    if (!isOurs) throw new Fault('FORBIDDEN', { message: 'Only the console’s own pages may send this request.' });
  };

/** A proxy may have changed the Host header, so the public URL counts too. */
const isOurOrigin = ({ headers: { origin, host } }: FastifyRequest, publicUrl: string | undefined): boolean => {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const sent = new URL(origin);
  return sent.host === host || (publicUrl !== undefined && sent.origin === new URL(publicUrl).origin);
};

export const signedInPerson = async (ports: ConsolePorts, request: FastifyRequest): Promise<Person> => {
  const person = await personSignedIn(ports.signIn, webHeaders(request));
  if (!person) throw new Fault('UNAUTHORIZED', { message: 'Sign in first.' });
  return person;
};

export const administrator = async (ports: ConsolePorts, request: FastifyRequest): Promise<Person> => {
  const person = await signedInPerson(ports, request);
  if (!person.isAdministrator)
    throw new Fault('FORBIDDEN', { message: 'Only administrators of the server can do this.' });
  return person;
};

export interface Visit {
  readonly person: Person;
  readonly account: Account;
  /** Null for an administrator who is not a member. */
  readonly role: MemberRole | null;
  /** Owners and administrators. */
  readonly mayManage: boolean;
}

/** The account in the path, for its members and administrators. For everyone else it does not exist. */
export const visit = async (ports: ConsolePorts, request: FastifyRequest): Promise<Visit> => {
  const person = await signedInPerson(ports, request);
  const { accountId } = request.params as { accountId: string };
  const membership = (await membershipsOf(ports.storage.read, person.id)).find((own) => own.accountId === accountId);
  if (!membership && !person.isAdministrator) throw new Fault('NOT_FOUND', { message: 'There is no such account.' });
  const account = await accountById(ports.storage.read, accountId);
  const role = membership?.role ?? null;
  return { person, account, role, mayManage: person.isAdministrator || role === 'owner' };
};

export const managing = async (ports: ConsolePorts, request: FastifyRequest): Promise<Visit> => {
  const found = await visit(ports, request);
  if (!found.mayManage) throw new Fault('FORBIDDEN', { message: 'Only owners of the account can do this.' });
  return found;
};

/** Parses a value by its schema. Throws a Fault that names the field. */
export const parsed = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw invalidRequest(`${issue?.path.join('.') || 'The request'}: ${issue?.message}.`);
};

/**
 * A link to a page of the console, without an origin if the public URL is not set. The Host header of a request must not
 * end up in links: anyone can send one.
 */
export const consoleLink = ({ publicUrl }: Pick<ConsolePorts, 'publicUrl'>, path: string): string =>
  `${publicUrl ?? ''}/console${path}`;

/** Returns whether the message was sent. If not, its link can be passed on by hand. */
export const sendMail = async (
  { mailer, publicUrl, onMailFailure }: ConsolePorts,
  message: MailMessage,
): Promise<boolean> => {
  if (!mailer) return false;
  try {
    if (publicUrl === undefined) throw new Error('links in e-mail need FAIRCOPY_PUBLIC_URL');
    await mailer.send(message);
    return true;
  } catch (cause) {
    onMailFailure?.(cause);
    return false;
  }
};
