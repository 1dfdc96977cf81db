// OpenAI's own client, in both major versions that are in use, connected to the service of a test.
import OpenAI6 from 'openai-6';
import { OpenAIRealtimeWS as Realtime6 } from 'openai-6/realtime/ws';
import OpenAI7 from 'openai-7';
import { OpenAIRealtimeWS as Realtime7 } from 'openai-7/realtime/ws';
import type { Service } from '../http/service.ts';

/** The calls used here are the same in both. */
export type Client = OpenAI6;

export const CLIENTS: readonly { readonly name: string; readonly Client: typeof OpenAI6 }[] = [
  { name: 'openai 6', Client: OpenAI6 },
  { name: 'openai 7', Client: OpenAI7 as unknown as typeof OpenAI6 },
];

export const connectTo = (
  { url, key }: Pick<Service, 'url' | 'key'>,
  Client: typeof OpenAI6,
  options: { readonly apiKey?: string; readonly maxRetries?: number } = {},
): Client => new Client({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, ...options });

export interface RealtimeClient {
  on(event: string, listener: (event: never) => void): unknown;
  send(event: never): void;
  close(): void;
}

const options = { rejectUnauthorized: false };

/** OpenAI's realtime clients by their major version. They require TLS. */
export const REALTIME_CLIENTS: Readonly<Record<'6' | '7', (port: number, apiKey: string) => RealtimeClient>> = {
  6: (port, apiKey) =>
    new Realtime6(
      { model: 'gpt-4o-transcribe', options },
      new OpenAI6({ apiKey, baseURL: `https://127.0.0.1:${port}/v1` }),
    ) as never,
  7: (port, apiKey) =>
    new Realtime7(
      { intent: 'transcription', options } as never,
      new OpenAI7({ apiKey, baseURL: `https://127.0.0.1:${port}/v1` }) as never,
    ) as never,
};

/** Posts a form without any client in between. */
export const postForm = (
  { url, key }: Pick<Service, 'url' | 'key'>,
  body: NonNullable<RequestInit['body']>,
  { path = '/v1/audio/transcriptions', ...headers }: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });

export interface WireError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export const errorOf = async (response: Response): Promise<WireError> =>
  ((await response.json()) as { error: WireError }).error;

/** The JSON of every event in a body of server-sent events. */
export const eventsIn = (body: string): { readonly type: string; readonly [field: string]: unknown }[] =>
  body
    .split('\n\n')
    .flatMap((block) => block.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => JSON.parse(line.slice('data: '.length)));
