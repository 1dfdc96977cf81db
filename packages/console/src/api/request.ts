// Requests to the console's API: JSON in, a validated object out, or an ApiError.
import { errorResponse } from '@faircopy/contract';
import type { z } from 'zod';
import { CONSOLE_PATH } from '../paths.ts';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

const UNREACHABLE = 'The server did not answer. Check that it is running, then try again.';
const UNAUTHORIZED = 401;

export const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === UNAUTHORIZED;

const errorOf = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null);
  const known = errorResponse.safeParse(body);
  if (known.success) {
    const { error, request_id: requestId } = known.data;
    return new ApiError(response.status, error.code, error.message, requestId);
  }
  // The sign-in library uses another format: { code, message }.
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return new ApiError(
    response.status,
    typeof code === 'string' ? code : 'UNKNOWN',
    typeof message === 'string' ? message : `The server answered with status ${response.status}.`,
    null,
  );
};

let signInAgain: (() => Promise<void>) | null = null;

/** Sets how to ask the user to sign in again. While it is set, refused requests wait and are repeated. */
export const onSignedOut = (ask: (() => Promise<void>) | null): void => {
  signInAgain = ask;
};

/** Signs out and leaves the page. Pending requests no longer ask to sign in again. */
export const signOutAndLeave = (signOut: () => Promise<unknown>): void => {
  onSignedOut(() => new Promise(() => {}));
  const leave = () => location.assign(`${CONSOLE_PATH}/`);
  signOut().then(leave, leave);
};

export const request = async (
  method: string,
  path: string,
  body?: unknown,
  waitsForSignIn = true,
): Promise<unknown> => {
  const response = await fetch(`${CONSOLE_PATH}/api${path}`, {
    method,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(0, 'UNREACHABLE', UNREACHABLE, null);
  });
  if (response.status === UNAUTHORIZED && waitsForSignIn && signInAgain && !path.startsWith('/auth/')) {
    await signInAgain();
    return request(method, path, body);
  }
  if (!response.ok) throw await errorOf(response);
  return response.status === 204 ? null : response.json();
};

export const get = async <T>(schema: z.ZodType<T>, path: string): Promise<T> =>
  schema.parse(await request('GET', path));
export const post = async <T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T> =>
  schema.parse(await request('POST', path, body));

/** A query string; empty values are omitted. */
export const query = (values: Readonly<Record<string, string | undefined>>): string => {
  const set = Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]);
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
};
