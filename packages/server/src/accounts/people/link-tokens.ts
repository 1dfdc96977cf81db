// Random tokens in links. Only their SHA-256 is stored.
import { createHash, randomBytes } from 'node:crypto';

export const newLinkToken = (): string => randomBytes(24).toString('base64url');

export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');
