// Answers that leave before the request's body has arrived: the answer first, then a bounded drain, then the end.
// Closing at once would reset the connection, and the caller would see a broken pipe instead of the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const DRAIN = { bytesMax: 16 * 1024 * 1024, msMax: 2_000 } as const;

/** Reads and drops the rest of a body. Resolves when it has ended, the caller has gone, or enough was read. */
const drain = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', done).off('close', done).off('error', done);
      request.on('error', () => {});
      request.pause();
      resolve();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DRAIN.bytesMax) done();
    };
    const timer = setTimeout(done, DRAIN.msMax);
    request.on('data', onData).on('end', done).on('close', done).on('error', done);
    request.resume();
  });

/** The payload as a stream that stays open until the rest of the request has been drained. */
const withDrain = (payload: string | Buffer, request: IncomingMessage): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from(payload as string);
      await drain(request);
    })(),
    { objectMode: false },
  );

/** Connections whose request was answered before its body was there: what is wrong with the rest is of no interest. */
const answeredEarly = new WeakSet<Socket>();
export const wasAnsweredEarly = (socket: Socket): boolean => answeredEarly.has(socket);

const awaitsContinue = (request: IncomingMessage): boolean => /^100-continue$/i.test(request.headers.expect ?? '');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const addEarlyResponses = (app: FastifyInstance): void => {
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
    answeredEarly.add(raw.socket);
    // Whoever still waits for the word to go on has nothing under way that would have to be drained.
    if (awaitsContinue(raw) && !toldToGoOn.has(reply.raw)) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    reply.header('content-length', Buffer.byteLength(payload));
    return withDrain(payload, raw);
  });
};
