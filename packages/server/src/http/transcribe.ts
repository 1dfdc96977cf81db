// The file endpoint: POST /v1/transcribe.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../accounts/principal.ts';
import { Fault } from '../platform/fault.ts';
import { presentedKey } from './authorization.ts';
import { FileCall, type FileRooms } from './file-call.ts';
import { ClientLeft, expectBody, forgetBody } from './receive.ts';

declare module 'fastify' {
  interface FastifyRequest {
    fileCall: FileCall | undefined;
  }
}

export interface TranscribeRooms extends FileRooms {
  readonly authenticator: Authenticator;
  /** Aborted when running requests have had their time to end. */
  readonly halt: AbortSignal;
}

export const addTranscribe = (app: FastifyInstance, rooms: TranscribeRooms): void => {
  const calls = new Map<FastifyRequest, FileCall>();
  rooms.halt.addEventListener('abort', () => {
    for (const call of calls.values()) call.stop(stopping());
  });

  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (rooms.readiness.draining.aborted) throw stopping();
    const { socket } = request.raw;
    expectBody(socket, request.id);
    reply.raw.once('close', () => forgetBody(socket));
    const principal = await rooms.authenticator.authenticate(presentedKey(request.headers.authorization));
    if (principal === null) throw new Fault('UNAUTHORIZED', { message: 'The API key is not valid.' });
    const call = new FileCall(rooms, { requestId: request.id, principal, request: request.raw, log: request.log });
    calls.set(request, call);
    const onClose = () => {
      calls.delete(request);
      if (!reply.raw.writableFinished) call.stop(new ClientLeft());
    };
    // The caller may have left while the key was looked up.
    if (reply.raw.destroyed) onClose();
    else reply.raw.once('close', onClose);
    await call.check();
    request.fileCall = call;
  };

  app.register(async (scope) => {
    // The body is read by the endpoint itself, as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.decorateRequest('fileCall', undefined);
    scope.route({
      method: 'POST',
      url: '/v1/transcribe',
      onRequest: open,
      handler: async (request, reply) => {
        return reply.send(await request.fileCall!.run());
      },
    });
  });
};

const stopping = () => new Fault('SERVICE_UNAVAILABLE', { message: 'The service is stopping.', retryAfterSeconds: 5 });
