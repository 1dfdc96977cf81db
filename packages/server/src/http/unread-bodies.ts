// Bodies that nobody has read yet: when a waiting caller is told to go on, and how an answer overtakes a body.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { lingering } from './linger.ts';

const awaitsContinue = (request: IncomingMessage): boolean => /^100-continue$/i.test(request.headers.expect ?? '');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const addUnreadBodies = (app: FastifyInstance): void => {
  const toldToGoOn = new WeakSet<ServerResponse>();

  // Without these listeners Node tells every caller to go on, before any check.
  for (const event of ['checkContinue', 'checkExpectation'])
    app.server.on(event, (request, response) => app.routing(request, response));

  app.addHook('preParsing', async (request, reply) => {
    if (!awaitsContinue(request.raw)) return;
    toldToGoOn.add(reply.raw);
    reply.raw.writeContinue();
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const { raw } = request;
    // Requests that were injected, not received, have no such mark and nothing to drain.
    if (raw.complete !== false || !hasBody(raw)) return payload;
    reply.header('connection', 'close');
    // Whoever still waits for the word to go on has nothing under way that would have to be drained.
    if (awaitsContinue(raw) && !toldToGoOn.has(reply.raw)) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    reply.header('content-length', Buffer.byteLength(payload));
    return lingering(payload, raw);
  });
};
