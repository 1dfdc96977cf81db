// Hashes of idempotency keys and request bodies, so that neither is stored.
import { createHash, createHmac } from 'node:crypto';
import { derivedKey } from '../lib/sealed.ts';

/** Keys are scoped to the API key and to the kind of request. */
export const keyHash = (keyId: string, idempotencyKey: string, kind: 'file' | 'job' = 'file'): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, keyId, idempotencyKey]))
    .digest('hex');

/** Keyed, so that a reader of the database cannot test whether a recording is a known one. */
export const fingerprintOf = (apiKey: string, bodyHash: string): string =>
  createHmac('sha256', derivedKey(apiKey, 'body fingerprint')).update(bodyHash).digest('hex');
