// The parts of a WebSocket handshake that every endpoint shares: header checks and rate-limit headers.
import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '../../lib/fault.ts';

export type Query = Readonly<Record<string, unknown>>;

const invalid = (message: string): Fault => new Fault('INVALID_REQUEST', { message });

/** Checks what the WebSocket protocol itself asks for, so that even then the answer is the JSON error object. */
export const checkUpgradeHeaders = (headers: IncomingHttpHeaders): void => {
  if (headers['sec-websocket-version'] !== '13') throw invalid('Only WebSocket version 13 is spoken here.');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw invalid('The header Sec-WebSocket-Key is missing or not valid.');
  }
};

/** Subprotocols the client offers; a malformed list is refused. */
export const offeredProtocols = (header: string | undefined): ReadonlySet<string> => {
  if (header === undefined) return new Set();
  const names = header.split(',').map((name) => name.trim());
  const wellFormed = names.every((name) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name));
  if (!wellFormed || new Set(names).size !== names.length) {
    throw invalid('The header Sec-WebSocket-Protocol is not valid.');
  }
  return new Set(names);
};

/** Open streams as rate-limit headers: the plain pair that clients read today, and the structured pair of the draft. */
export const rateLimitHeaders = (limit: number, remaining: number): Readonly<Record<string, string>> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Policy': `"streams";q=${limit}`,
  RateLimit: `"streams";r=${remaining}`,
});
