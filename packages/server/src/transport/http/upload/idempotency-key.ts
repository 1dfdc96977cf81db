// The Idempotency-Key header of a request.
import type { IncomingHttpHeaders } from 'node:http';
import { Fault } from '../../../lib/fault.ts';

/** Much longer than any random id. */
const CHARACTERS_MAX = 255;
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${CHARACTERS_MAX}}$`);

/** Undefined when there is none. A structured-field string keeps its quotes. */
export const idempotencyKeyOf = (headers: IncomingHttpHeaders): string | undefined => {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw new Fault('INVALID_REQUEST', {
    message: `The header Idempotency-Key must be 1 to ${CHARACTERS_MAX} visible ASCII characters, without spaces.`,
    parameter: 'Idempotency-Key',
  });
};
