// A route that takes a file in its body: opens the call before a byte has been read, and leaves the body to the endpoint.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../../accounts/principal.ts';
import type { AudioFormats } from '../../../audio/upload-decoding.ts';
import type { Calls } from '../../../calls/calls.ts';
import { FileCall } from '../../../calls/files/file-call.ts';
import type { Replay } from '../../../calls/files/replay.ts';
import type { FileAnswer } from '../../../idempotency/answer.ts';
import { withDisconnectSignal } from '../disconnect-signal.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { expectBody, forgetBody } from './receive.ts';

declare module 'fastify' {
  interface FastifyRequest {
    fileCall: FileCall | Replay | undefined;
  }
}

export interface UploadRoute {
  readonly url: string;
  readonly formats: AudioFormats;
  /** The key that a request presents, or the fault that says how to send one. */
  readonly keyOf: (request: FastifyRequest) => string;
  /** Throws what the headers alone show to be wrong. */
  readonly checkHeaders: (request: FastifyRequest) => void;
  /** Receives the body and works on it. Its answer is sent here, unless that was done on the way. */
  readonly handle: (call: FileCall, request: FastifyRequest, reply: FastifyReply) => Promise<FileAnswer | 'sent'>;
  /** Receives the body of a retry, for its hash alone. */
  readonly hashBody: (replay: Replay, request: FastifyRequest) => Promise<string>;
}

export const addUploadRoute = (app: FastifyInstance, calls: Calls, route: UploadRoute): void => {
  /** Everything that can be refused before a byte of the body has been read. */
  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { socket } = request.raw;
    expectBody(socket, request.id);
    reply.raw.once('close', () => forgetBody(socket));
    const apiKey = route.keyOf(request);
    const principal = await calls.authenticate(apiKey);
    await withDisconnectSignal(reply.raw, (signal) =>
      calls.pacingRefusals(principal, signal, () => begin(request, reply, { apiKey, principal, signal })),
    );
  };

  const begin = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { apiKey, principal, signal }: { apiKey: string; principal: Principal; signal: AbortSignal },
  ): Promise<void> => {
    const caller = { requestId: request.id, principal };
    const idempotencyKey = idempotencyKeyOf(request.headers);
    const call =
      idempotencyKey === undefined
        ? calls.openFile(caller, route.formats)
        : await calls.openKeyedFile({ ...caller, apiKey, idempotencyKey, signal }, route.formats);
    const onClose = () => call.end(reply.raw.writableFinished ? 'answered' : 'left');
    // The caller may have left while the key was looked up.
    if (reply.raw.destroyed) onClose();
    else reply.raw.once('close', onClose);
    request.fileCall = call;
    if (!(call instanceof FileCall)) return;
    await call.checkIn(() => {
      route.checkHeaders(request);
      calls.checkCapacity(principal);
    });
  };

  const answerTo = async (request: FastifyRequest, reply: FastifyReply): Promise<FileAnswer | 'sent'> => {
    const call = request.fileCall!;
    if (call instanceof FileCall) {
      reply.header('x-request-id', call.requestId);
      return route.handle(call, request, reply);
    }
    const answer = call.answerTo(await route.hashBody(call, request));
    reply.headers({ 'x-request-id': answer.requestId, 'idempotent-replayed': 'true' });
    return answer;
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
      handler: async (request, reply) => {
        const answer = await answerTo(request, reply);
        if (answer === 'sent') return reply;
        // The work went on for somebody else who waits for it.
        if (reply.raw.destroyed) return reply.hijack();
        return reply
          .type(answer.contentType)
          .headers(answer.headers ?? {})
          .send(answer.body);
      },
    });
  });
};
