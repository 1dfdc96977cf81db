// Deepgram's own client, in both major versions that are in use, connected to the service of a test.
import { createClient } from 'deepgram-4';
import { DeepgramClient } from 'deepgram-5';
import type { Service } from '../http/service.ts';

type Target = Pick<Service, 'url' | 'key'>;

export const client4 = ({ url, key }: Target) => createClient(key, { global: { url } });

export const client5 = ({ url, key }: Target) => {
  const environment = { base: url, production: url.replace('http', 'ws'), agent: '', agentRest: '' };
  return new DeepgramClient({ apiKey: key, environment } as never);
};
