// The streaming endpoint: its route, the handshake before the upgrade, and the connections that are open.
import { LIMITS, PATHS, SUBPROTOCOL } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { UploadDecoding } from '../audio/decode.ts';
import type { Calls } from '../calls/calls.ts';
import { StreamLimitReached } from '../calls/refusals.ts';
import type { StreamCall } from '../calls/stream-call.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { errorBody } from '../platform/error-response.ts';
import { Fault } from '../platform/fault.ts';
import type { Readiness } from '../platform/readiness.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { StreamConnection } from './connection.ts';
import {
  checkUpgradeHeaders,
  presentedKey,
  type Query,
  rateLimitHeaders,
  readStreamRequest,
  type StreamRequest,
} from './handshake.ts';
import { StreamSocket } from './socket.ts';
import { type PendingUpgrade, Upgrades } from './upgrade.ts';

/** How long a closed stream may take over its half of the closing handshake. */
const CLOSE_TIMEOUT_MS = 5_000;
const SWITCHING_PROTOCOLS = 101;
const UPGRADE_REQUIRED = 426;

export interface StreamParts {
  readonly config: Pick<
    Config,
    | 'firstFrameTimeoutMs'
    | 'idleTimeoutMs'
    | 'finalizeTimeoutMs'
    | 'publicUrl'
    | 'shutdownGraceMs'
    | 'maxStreamSeconds'
    | 'pingIntervalMs'
  >;
  readonly clock: Clock;
  readonly readiness: Readiness;
  readonly calls: Calls;
  readonly decoding: Pick<UploadDecoding, 'openPcm16'>;
}

export interface StreamEndpoint {
  readonly openStreams: number;
  /** No new streams; resolves when the open ones have ended, each within the finalisation time. */
  close(): Promise<void>;
}

export const addStream = (app: FastifyInstance, parts: StreamParts): StreamEndpoint => {
  const { calls, config, readiness } = parts;
  const open = new Set<StreamConnection>();
  const upgrades = new Upgrades(app, PATHS.stream);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    WebSocket: StreamSocket,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    maxPayload: LIMITS.streamFrameBytesMax,
    // Compression would let a small frame become a large one.
    perMessageDeflate: false,
    // One message per turn of the loop and socket: a flood of tiny frames leaves the others their turns.
    allowSynchronousEvents: false,
    // Pings are answered by the connection, which knows when a peer floods or does not read.
    autoPong: false,
    ...{ closeTimeout: CLOSE_TIMEOUT_MS },
  });
  const answerHeaders = new WeakMap<object, readonly string[]>();
  sockets.on('headers', (headers, request) => headers.push(...(answerHeaders.get(request) ?? [])));

  const drainTimeoutMs = Math.min(config.finalizeTimeoutMs, config.shutdownGraceMs);

  const start = (upgrade: PendingUpgrade, raw: FastifyRequest['raw'], call: StreamCall, request: StreamRequest) => {
    answerHeaders.set(raw, [
      `x-request-id: ${call.requestId}`,
      ...Object.entries(rateLimitHeaders(call.limit, call.remaining)).map(([name, value]) => `${name}: ${value}`),
    ]);
    let upgraded = false;
    sockets.handleUpgrade(raw, upgrade.socket, upgrade.head, (socket) => {
      upgraded = true;
      upgrade.response.statusCode = SWITCHING_PROTOCOLS;
      const connection = new StreamConnection(socket as StreamSocket, {
        call,
        request,
        settings: { ...config, ...request.audio, drainTimeoutMs },
        clock: parts.clock,
        openDecoder: () => parts.decoding.openPcm16(request.audio),
      });
      open.add(connection);
      void connection.ended.then(() => open.delete(connection));
      if (readiness.state === 'draining') connection.drain();
    });
    // The client went away during the handshake.
    if (!upgraded) void call.release();
  };

  app.get(PATHS.stream, { schema: { hide: true } as object }, async (request, reply) => {
    if (!upgrades.isPending(request.raw)) return explain(request, reply, calls);
    const { headers } = request.raw;
    checkUpgradeHeaders(headers);
    const principal = await calls.authenticate(presentedKey(request.query as Query, headers));
    const stream = readStreamRequest(request.query as Query);
    const call = await withLimitHeaders(reply, () =>
      calls.openStream({ requestId: request.id, principal }, stream.transcription.model),
    );
    const upgrade = upgrades.take(request.raw);
    if (!upgrade) throw new Error('an upgrade was taken twice');
    reply.hijack();
    start(upgrade, request.raw, call, stream);
    return reply;
  });

  const description = JSON.stringify(asyncApiDocument(config.publicUrl));
  app.get('/asyncapi.json', { schema: { hide: true } as object }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );

  const drain = (): void => {
    for (const connection of open) connection.drain();
  };
  readiness.draining.addEventListener('abort', drain);

  return {
    get openStreams() {
      return open.size;
    },
    async close() {
      readiness.draining.removeEventListener('abort', drain);
      drain();
      await Promise.all([...open].map((connection) => connection.ended));
    },
  };
};

const withLimitHeaders = async <T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof StreamLimitReached) reply.headers(rateLimitHeaders(thrown.limit, 0));
    throw thrown;
  }
};

/**
 * A plain request cannot stream; with a key it is told what a handshake would be told. Browsers hide the answer to a
 * refused handshake from their scripts: this is how ours learns the reason.
 */
const explain = async (request: FastifyRequest, reply: FastifyReply, calls: Calls): Promise<FastifyReply> => {
  const query = request.query as Query;
  const hasKey = query.token !== undefined || request.headers.authorization !== undefined;
  if (hasKey) {
    const principal = await calls.authenticate(presentedKey(query, request.headers));
    const { transcription } = readStreamRequest(query);
    await withLimitHeaders(reply, () => calls.checkStream(principal, transcription.model));
  }
  const fault = new Fault('INVALID_REQUEST', {
    message: `This address speaks WebSocket: connect with ws:// or wss://. To send a file, POST ${PATHS.transcribe}.`,
  });
  return reply.code(UPGRADE_REQUIRED).header('upgrade', 'websocket').send(errorBody(fault, request.id));
};
