// A route that takes a file in its body: opens the call before a byte has been read, and leaves the body to the endpoint.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Calls } from '../calls/calls.ts';
import type { FileCall } from '../calls/file-call.ts';
import type { Config } from '../platform/config.ts';
import { expectBody, forgetBody } from './receive.ts';

declare module 'fastify' {
  interface FastifyRequest {
    fileCall: FileCall | undefined;
  }
}

export interface UploadRoute {
  readonly url: string;
  readonly formats: Config['fileFormats'];
  /** The key that a request presents, or the fault that says how to send one. */
  readonly keyOf: (request: FastifyRequest) => string;
  /** Throws what the headers alone show to be wrong. */
  readonly checkHeaders: (request: FastifyRequest) => void;
  readonly handle: (call: FileCall, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

export const addUploadRoute = (app: FastifyInstance, calls: Calls, route: UploadRoute): void => {
  /** Everything that can be refused before a byte of the body has been read. */
  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { socket } = request.raw;
    expectBody(socket, request.id);
    reply.raw.once('close', () => forgetBody(socket));
    const principal = await calls.authenticate(route.keyOf(request));
    const call = calls.openFile({ requestId: request.id, principal }, route.formats);
    const onClose = () => call.end(reply.raw.writableFinished ? 'answered' : 'left');
    // The caller may have left while the key was looked up.
    if (reply.raw.destroyed) onClose();
    else reply.raw.once('close', onClose);
    await call.checkIn(() => {
      route.checkHeaders(request);
      calls.checkCapacity(principal);
    });
    request.fileCall = call;
  };

  app.register(async (scope) => {
    // The body is read by the endpoint itself, as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.decorateRequest('fileCall', undefined);
    scope.route({
      method: 'POST',
      url: route.url,
      config: { readsOwnBody: true },
      onRequest: open,
      handler: (request, reply) => route.handle(request.fileCall!, request, reply),
    });
  });
};
