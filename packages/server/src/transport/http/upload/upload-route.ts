// A route that takes a file to transcribe: opens the call before the body is read, and sends or replays its answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../../accounts/principal.ts';
import type { Calls } from '../../../calls/calls.ts';
import type { AcceptedFiles } from '../../../calls/files/accepted-files.ts';
import { FileCall } from '../../../calls/files/file-call.ts';
import type { Replay } from '../../../calls/files/replay.ts';
import type { FileAnswer } from '../../../idempotency/answer.ts';
import { withDisconnectSignal } from '../disconnect-signal.ts';
import { addBodyRoute, onResponseEnd } from './body-route.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

export interface UploadRoute {
  readonly url: string;
  readonly accepts: AcceptedFiles;
  /** The API key of the request. Throws a Fault when there is none. */
  readonly keyOf: (request: FastifyRequest) => string;
  /** Throws for faults that the headers alone reveal. */
  readonly checkHeaders: (request: FastifyRequest) => void;
  /** Receives the body and transcribes it. Returns the answer, or 'sent' when it has sent one itself. */
  readonly handle: (call: FileCall, request: FastifyRequest, reply: FastifyReply) => Promise<FileAnswer | 'sent'>;
  /** Receives the body of a retry and returns its hash. */
  readonly hashBody: (replay: Replay, request: FastifyRequest) => Promise<string>;
}

interface Presented {
  readonly apiKey: string;
  readonly principal: Principal;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export const addUploadRoute = (app: FastifyInstance, calls: Calls, route: UploadRoute): void => {
  const openCall = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { apiKey, principal, signal }: Presented,
  ): Promise<FileCall | Replay> => {
    const caller = { requestId: request.id, principal };
    const idempotencyKey = idempotencyKeyOf(request.headers);
    const call =
      idempotencyKey === undefined
        ? calls.openFile(caller, route.accepts)
        : await calls.openKeyedFile({ ...caller, apiKey, idempotencyKey, signal }, route.accepts);
    onResponseEnd(reply.raw, (outcome) => call.end(outcome));
    if (call instanceof FileCall)
      await call.runChecks(() => {
        route.checkHeaders(request);
        calls.checkCapacity(principal);
      });
    return call;
  };

  const answerTo = async (
    call: FileCall | Replay,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FileAnswer | 'sent'> => {
    if (call instanceof FileCall) {
      reply.header('x-request-id', call.requestId);
      return route.handle(call, request, reply);
    }
    const answer = call.answerTo(await route.hashBody(call, request));
    reply.headers({ 'x-request-id': answer.requestId, 'idempotent-replayed': 'true' });
    return answer;
  };

  addBodyRoute(app, {
    url: route.url,
    open: async (request, reply) => {
      const apiKey = route.keyOf(request);
      const principal = await calls.authenticate(apiKey, { scope: 'transcribe', address: request.clientAddress });
      return withDisconnectSignal(reply.raw, (signal) =>
        calls.pacingRefusals(principal, signal, () => openCall(request, reply, { apiKey, principal, signal })),
      );
    },
    handle: async (call, request, reply) => {
      const answer = await answerTo(call, request, reply);
      if (answer === 'sent') return reply;
      // The client has disconnected; the work was finished for a retry that waits for it.
      if (reply.raw.destroyed) return reply.hijack();
      return reply
        .type(answer.contentType)
        .headers(answer.headers ?? {})
        .send(answer.body);
    },
  });
};
