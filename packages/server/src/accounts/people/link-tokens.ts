// Tokens in links: random, and stored as SHA-256 only.
import { createHash, randomBytes } from 'node:crypto';

export const newLinkToken = (): string => randomBytes(24).toString('base64url');

export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');
