// How an idempotency key and the body that came with it are known again, without either being kept.
import { createHash, createHmac } from 'node:crypto';
import { derivedKey } from '../lib/sealed.ts';

/** Keys count for the API key they came with, and for one kind of request. */
export const keyHash = (keyId: string, idempotencyKey: string, kind: 'file' | 'job' = 'file'): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, keyId, idempotencyKey]))
    .digest('hex');

/** Keyed, so that whoever reads the database cannot even ask whether a recording is a certain one. */
export const fingerprintOf = (apiKey: string, bodyHash: string): string =>
  createHmac('sha256', derivedKey(apiKey, 'body fingerprint')).update(bodyHash).digest('hex');
