// Answers sent before the request's body has arrived, and `100 Continue` for clients that wait for it.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { LingeringConnections } from './lingering-close.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bytes of a refused request's body to discard, for routes that need more than the default. */
    readonly discardedBytesMax?: number;
  }
}

const awaitsContinue = (request: IncomingMessage): boolean => /^100-continue$/i.test(request.headers.expect ?? '');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const addEarlyResponses = (app: FastifyInstance, lingering: LingeringConnections): void => {
  app.addHook('preParsing', async (request, reply) => {
    if (awaitsContinue(request.raw)) reply.raw.writeContinue();
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const { raw } = request;
    // Injected requests do not have `complete`, and have nothing to discard.
    if (raw.complete !== false || !hasBody(raw)) return payload;
    reply.header('connection', 'close');
    // A streamed answer may begin while its handler still reads the body.
    if (payload instanceof Readable) return payload;
    lingering.discardRest(reply.raw, request.clientAddress, request.routeOptions?.config?.discardedBytesMax);
    return payload;
  });

  app.addHook('preClose', async () => lingering.close());
};
