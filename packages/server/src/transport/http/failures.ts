// Turns every failure into an error response: from handlers, fastify, Node's HTTP parser and unknown routes.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ClientLeft } from '../../calls/client-left.ts';
import { Fault } from '../../lib/fault.ts';
import { newRequestId } from '../../lib/request-id.ts';
import { logFault } from '../../observability/fault-log.ts';
import type { Log } from '../../observability/log.ts';
import { noteErrorCode } from './access-log.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { errorBody } from './error-response.ts';
import type { LingeringConnections } from './lingering-close.ts';
import { expectedBody } from './upload/receive.ts';

const UNDECODABLE = 'The URL cannot be decoded: every % must start an escaped UTF-8 character.';

/** Client errors of fastify stay client errors; everything else is an internal error. */
const faultOf = (thrown: unknown): Fault => {
  if (thrown instanceof Fault) return thrown;
  const { statusCode, code, message } = thrown as Partial<FastifyError>;
  if (code === 'FST_ERR_BAD_URL') return new Fault('INVALID_REQUEST', { message: UNDECODABLE, cause: thrown });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Fault('INVALID_REQUEST', { ...(message && { message }), cause: thrown });
  return new Fault('INTERNAL_ERROR', { cause: thrown });
};

const sendFault = (reply: FastifyReply, request: FastifyRequest, fault: Fault): FastifyReply => {
  noteErrorCode(request, fault.code);
  const format = request.server.errorFormats.of(request.url);
  return reply
    .code(fault.httpStatus)
    .headers({ ...format.headers(fault, request.id), 'x-request-id': request.id })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(format.body(fault, request.id));
};

/** Answers a thrown value, unless the client has disconnected. */
export const answerFailure = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  if (thrown instanceof ClientLeft) {
    reply.hijack();
    return;
  }
  const fault = faultOf(thrown);
  logFault(request.log, fault, {});
  sendFault(reply, request, fault);
};

export const addFailures = (app: FastifyInstance, routes: AllowedMethods): void => {
  app.setErrorHandler(answerFailure);
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1')
      throw new Fault('INVALID_REQUEST', { message: 'The header Host is missing.' });
    // A proxy and this server could otherwise disagree about the host (RFC 9112, 3.2).
    if (raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1)
      throw new Fault('INVALID_REQUEST', { message: 'The header Host is given more than once.' });
  });
  // Refuse unknown routes before the body is read.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const allowed = routes.allowed(request.url.split('?', 1)[0]!);
    if (allowed.length === 0) throw new Fault('NOT_FOUND');
    reply.header('allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new Fault('METHOD_NOT_ALLOWED', { message: `This address accepts ${allowed.join(', ')}.` });
  });
  app.setNotFoundHandler((request, reply) => sendFault(reply, request, new Fault('NOT_FOUND')));
};

/** Answers a request that Node's HTTP parser could not read. */
export const answerUnreadable =
  (log: Log, lingering: LingeringConnections) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    const fault = unreadable(error.code);
    if (fault === null || !socket.writable) {
      socket.destroy();
      return;
    }
    if (lingering.has(socket)) {
      socket.destroySoon();
      return;
    }
    const body = expectedBody(socket);
    if (body !== undefined && error.code !== CUT_SHORT) {
      body.fail(fault);
      return;
    }
    // The client has most likely disconnected. If it only stopped sending, it can still read this.
    body?.fail(new ClientLeft());
    const requestId = body?.requestId ?? newRequestId();
    log.info({ requestId, reason: error.code, status: fault.httpStatus }, 'unreadable request');
    endWith(socket, fault, requestId);
  };

/** Without a listener, Node closes the connection of a CONNECT without a response. */
export const addConnectRefusal = (app: FastifyInstance, log: Log): void => {
  app.server.on('connect', (_request, socket: Duplex) => {
    const requestId = newRequestId();
    const fault = new Fault('METHOD_NOT_ALLOWED', { message: 'This is not a proxy: CONNECT is not supported.' });
    log.info({ requestId, reason: 'CONNECT', status: fault.httpStatus }, 'unreadable request');
    socket.on('error', () => socket.destroy());
    // Discard what the client sends, but notice when it ends.
    socket.resume().once('end', () => socket.destroy());
    endWith(socket, fault, requestId, ['allow: GET, HEAD, OPTIONS, POST']);
  });
};

/** Writes the error response by hand, for a connection that Node no longer handles. */
const endWith = (socket: Duplex, fault: Fault, requestId: string, headers: readonly string[] = []): void => {
  const json = JSON.stringify(errorBody(fault, requestId));
  socket.end(
    [
      `HTTP/1.1 ${fault.httpStatus} ${STATUS_CODES[fault.httpStatus]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(json)}`,
      `x-request-id: ${requestId}`,
      ...headers,
      'connection: close',
      '',
      json,
    ].join('\r\n'),
  );
};

/** Node's code for a connection that ended in the middle of a request. */
const CUT_SHORT = 'HPE_INVALID_EOF_STATE';

const unreadable = (code: string | undefined): Fault | null => {
  if (code === 'ECONNRESET' || code === 'EPIPE') return null;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Fault('REQUEST_TIMEOUT');
  if (code === CUT_SHORT) return new Fault('INVALID_REQUEST', { message: 'The request was cut short.' });
  if (code === 'HPE_HEADER_OVERFLOW') return new Fault('INVALID_REQUEST', { message: 'The headers are too large.' });
  return new Fault('INVALID_REQUEST', { message: 'The request is not valid HTTP.' });
};
