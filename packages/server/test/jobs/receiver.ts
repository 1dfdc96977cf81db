// A local webhook receiver with scripted responses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceiverRules } from '../../src/jobs/webhooks/webhook-request.ts';
import type { Ending } from '../http/service.ts';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, webhook: ReceivedWebhook) => void;

/** Test receivers are local and use plain HTTP. */
export const ON_THIS_MACHINE: ReceiverRules = { protocols: ['http:', 'https:'], isAllowedAddress: () => true };

export const startReceiver = async (t: Ending, answer: Answer = (response) => response.writeHead(204).end()) => {
  const received: ReceivedWebhook[] = [];
  let wake: () => void = () => {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const webhook = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    received.push(webhook);
    answer(response, webhook);
    wake();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** Resolves when this many have arrived. */
    until: async (count: number): Promise<void> => {
      while (received.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
};
