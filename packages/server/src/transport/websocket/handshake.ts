// Checks and headers of a WebSocket handshake that every endpoint shares.
import type { IncomingHttpHeaders } from 'node:http';
import { invalidRequest } from '../../lib/fault.ts';

export type Query = Readonly<Record<string, unknown>>;

/** All values of a parameter, which may be repeated. */
export const valuesOf = (query: Query, name: string): string[] => [query[name] ?? []].flat().map(String);

/** Checks what the WebSocket protocol requires, so that a refusal has the contract's JSON error body. */
export const checkUpgradeHeaders = (headers: IncomingHttpHeaders): void => {
  if (headers['sec-websocket-version'] !== '13') throw invalidRequest('Only WebSocket version 13 is supported.');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw invalidRequest('The header Sec-WebSocket-Key is missing or not valid.');
  }
};

/** The subprotocols that the client offers. Throws when the list is malformed. */
export const offeredProtocols = (header: string | undefined): ReadonlySet<string> => {
  if (header === undefined) return new Set();
  const names = header.split(',').map((name) => name.trim());
  const wellFormed = names.every((name) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name));
  if (!wellFormed || new Set(names).size !== names.length) {
    throw invalidRequest('The header Sec-WebSocket-Protocol is not valid.');
  }
  return new Set(names);
};

/** The limit of open streams, in the plain headers that clients read today and in those of the IETF draft. */
export const rateLimitHeaders = (limit: number, remaining: number): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Policy': `"streams";q=${limit}`,
  RateLimit: `"streams";r=${remaining}`,
});
