// The API key as a caller presents it: in the Authorization header, or wherever else an endpoint finds it.
import { KEY_SCHEME } from '@faircopy/contract';
import { Fault } from '../lib/fault.ts';

/** Far longer than any key; keeps an absurd header from being hashed. */
const KEY_CHARACTERS_MAX = 512;
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${KEY_CHARACTERS_MAX}}$`);

const unauthorized = (message: string): Fault => new Fault('UNAUTHORIZED', { message });

/** The key behind a scheme word, which has no case (RFC 9110); undefined without a header. */
export const keyInHeader = (
  header: string | undefined,
  schemes: readonly string[] = [KEY_SCHEME],
): string | undefined => {
  if (header === undefined || header === '') return undefined;
  const [, scheme, key] = /^(\S+) (\S+)$/.exec(header) ?? [];
  const isKnown = schemes.some((known) => known.toLowerCase() === scheme?.toLowerCase());
  if (!isKnown || key === undefined || !KEY.test(key))
    throw unauthorized(`The Authorization header must be "${schemes[0]} <API_KEY>".`);
  return key;
};

/** The key, or the fault that says how to send one. */
export const requireKey = (presented: string | undefined, howToSend: string): string => {
  if (presented === undefined || presented === '') throw unauthorized(`The API key is missing. ${howToSend}`);
  if (!KEY.test(presented)) throw unauthorized('The API key is not valid.');
  return presented;
};
