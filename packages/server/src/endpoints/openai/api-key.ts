// The API key as OpenAI's clients send it. The contract's own scheme word works too.
import type { IncomingHttpHeaders } from 'node:http';
import { KEY_SCHEME } from '@faircopy/contract';
import { apiKeyOf } from '../../transport/http/api-key.ts';

export const bearerKeyOf = (headers: IncomingHttpHeaders, found?: string): string =>
  apiKeyOf(headers, { schemes: ['Bearer', KEY_SCHEME], found });
