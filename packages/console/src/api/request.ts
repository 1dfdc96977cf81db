// One way to ask the console's API: JSON in, a checked object out, a readable failure otherwise.
import { errorResponse } from '@faircopy/contract';
import type { z } from 'zod';
import { HOME } from '../base-path.ts';

export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

const UNREACHABLE = 'The server did not answer. Check that it is running, then try again.';
const UNAUTHORIZED = 401;

const failureOf = async (response: Response): Promise<ApiFailure> => {
  const body: unknown = await response.json().catch(() => null);
  const known = errorResponse.safeParse(body);
  if (known.success) {
    const { error, request_id: requestId } = known.data;
    return new ApiFailure(response.status, error.code, error.message, requestId);
  }
  // The sign-in library answers in its own shape: { code, message }.
  const foreign = body as { code?: unknown; message?: unknown } | null;
  const message = typeof foreign?.message === 'string' ? foreign.message : `The server answered ${response.status}.`;
  return new ApiFailure(response.status, typeof foreign?.code === 'string' ? foreign.code : 'UNKNOWN', message, null);
};

/** Lets the person sign in again; resolves when they have. Null while nobody is signed in anyway. */
let signInAgain: (() => Promise<void>) | null = null;

/** While it is set, a request of someone who is not signed in any more waits for them and is sent again. */
export const onSignedOut = (ask: (() => Promise<void>) | null): void => {
  signInAgain = ask;
};

/** Signs out and goes to the door; what is still under way on the page asks nobody to sign in again. */
export const signOutAndLeave = (signOut: () => Promise<unknown>): void => {
  onSignedOut(() => new Promise(() => {}));
  const leave = () => location.assign(`${HOME}/`);
  signOut().then(leave, leave);
};

/** `isPatient`: waits for a person who is not signed in any more to sign in again. */
export const request = async (method: string, path: string, body?: unknown, isPatient = true): Promise<unknown> => {
  const response = await fetch(`${HOME}/api${path}`, {
    method,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiFailure(0, 'UNREACHABLE', UNREACHABLE, null);
  });
  if (response.status === UNAUTHORIZED && isPatient && signInAgain && !path.startsWith('/auth/')) {
    await signInAgain();
    return request(method, path, body);
  }
  if (!response.ok) throw await failureOf(response);
  return response.status === 204 ? null : response.json();
};

export const get = async <T>(schema: z.ZodType<T>, path: string): Promise<T> =>
  schema.parse(await request('GET', path));
export const post = async <T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T> =>
  schema.parse(await request('POST', path, body));

/** The values that are set, as the end of an address. */
export const query = (values: Readonly<Record<string, string | undefined>>): string => {
  const set = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
};
