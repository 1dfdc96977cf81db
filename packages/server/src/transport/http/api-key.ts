// The API key that a request presents: in the Authorization header, or wherever else an endpoint looks for it.
import type { IncomingHttpHeaders } from 'node:http';
import { KEY_SCHEME } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';

/** Much longer than any key; keeps an absurd header from being hashed. */
const KEY_CHARACTERS_MAX = 512;
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${KEY_CHARACTERS_MAX}}$`);

const unauthorized = (message: string): Fault => new Fault('UNAUTHORIZED', { message });

export interface PresentedKey {
  /** Scheme words that the Authorization header may have, the documented one first. */
  readonly schemes?: readonly string[];
  /** A key found elsewhere, which takes precedence over the header. */
  readonly found?: string | undefined;
  /** How to send a key, for the message when it is missing. Default: the Authorization header. */
  readonly hint?: string;
}

/** The key, or the Fault that says how to send one. */
export const apiKeyOf = (
  { authorization }: IncomingHttpHeaders,
  { schemes = [KEY_SCHEME], found, hint = `Send it as "Authorization: ${schemes[0]} <API_KEY>".` }: PresentedKey = {},
): string => {
  const key = found ?? keyInHeader(authorization, schemes);
  if (key === undefined || key === '') throw unauthorized(`The API key is missing. ${hint}`);
  if (!KEY.test(key)) throw unauthorized('The API key is not valid.');
  return key;
};

/** Scheme words are case-insensitive (RFC 9110). */
const keyInHeader = (header: string | undefined, schemes: readonly string[]): string | undefined => {
  if (header === undefined || header === '') return undefined;
  const [, scheme, key] = /^(\S+) (\S+)$/.exec(header) ?? [];
  const isKnown = schemes.some((known) => known.toLowerCase() === scheme?.toLowerCase());
  if (!isKnown || key === undefined || !KEY.test(key))
    throw unauthorized(`The Authorization header must be "${schemes[0]} <API_KEY>".`);
  return key;
};
