// Reads the Authorization header: the scheme word Token, a space, the key.
import { Fault } from '../platform/fault.ts';

const HOW = 'Send it as "Authorization: Token <API_KEY>".';

/** The presented key, or a fault that says how to present one. */
export const presentedKey = (header: string | undefined): string => {
  if (header === undefined || header === '')
    throw new Fault('UNAUTHORIZED', { message: `The API key is missing. ${HOW}` });
  // Scheme words have no case (RFC 9110); keys do, and hold no spaces.
  const key = /^token ([\x21-\x7e]{1,512})$/i.exec(header)?.[1];
  if (key === undefined)
    throw new Fault('UNAUTHORIZED', { message: `The Authorization header is not one this service reads. ${HOW}` });
  return key;
};
