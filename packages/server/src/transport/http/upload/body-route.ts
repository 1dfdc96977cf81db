// A POST route that reads its own body: it opens something before the first byte is read, then handles the body.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { expectBody, forgetBody } from './receive.ts';

export interface BodyRoute<Opened> {
  readonly url: string;
  /** Throws for everything that can be refused before the body is read. */
  readonly open: (request: FastifyRequest, reply: FastifyReply) => Promise<Opened>;
  readonly handle: (opened: Opened, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  readonly discardedBytesMax?: number;
}

export const addBodyRoute = <Opened>(app: FastifyInstance, route: BodyRoute<Opened>): void => {
  const { url, open, handle, ...discarding } = route;
  const opened = new WeakMap<FastifyRequest, Opened>();
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.route({
      method: 'POST',
      url,
      config: { readsOwnBody: true, ...discarding },
      onRequest: async (request, reply) => {
        const { socket } = request.raw;
        expectBody(socket, request.id);
        reply.raw.once('close', () => forgetBody(socket));
        opened.set(request, await open(request, reply));
      },
      handler: async (request, reply) => handle(opened.get(request)!, request, reply),
    });
  });
};

/** Calls back when the response is over: sent, or abandoned because the client disconnected. */
export const onResponseEnd = (response: ServerResponse, end: (outcome: 'answered' | 'left') => void): void => {
  const onClose = () => end(response.writableFinished ? 'answered' : 'left');
  if (response.destroyed) onClose();
  else response.once('close', onClose);
};
