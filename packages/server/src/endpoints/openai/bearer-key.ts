// The key as OpenAI's clients send it; our own scheme word does as well.
import { KEY_SCHEME } from '@faircopy/contract';
import type { FastifyRequest } from 'fastify';
import { keyInHeader, requireKey } from '../../calls/presented-key.ts';

export const bearerKey = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  requireKey(
    keyInHeader(headers.authorization, ['Bearer', KEY_SCHEME]),
    'Send it as "Authorization: Bearer <API_KEY>".',
  );
