// The streaming endpoint: its route, the handshake before the upgrade, and the streams that are open.
import { LIMITS } from '@faircopy/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import { errorBody } from '../platform/error-response.ts';
import { Fault } from '../platform/fault.ts';
import type { UsageEntry } from '../usage/meter.ts';
import { type Admitted, admit, releaseSlot } from './admission.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { StreamConnection } from './connection.ts';
import {
  checkUpgradeHeaders,
  keyInHeader,
  offeredProtocols,
  presentedKey,
  type Query,
  rateLimitHeaders,
  STREAM_PATH,
  SUBPROTOCOL,
} from './handshake.ts';
import type { StreamPorts } from './ports.ts';
import { StreamSocket } from './socket.ts';
import { type PendingUpgrade, Upgrades } from './upgrade.ts';

/** How long a closed stream may take over its half of the closing handshake. */
const CLOSE_TIMEOUT_MS = 5_000;
const SWITCHING_PROTOCOLS = 101;
const UPGRADE_REQUIRED = 426;

export interface StreamDoor {
  readonly openStreams: number;
  /** No new streams; resolves when the open ones have ended, each within the finalisation time. */
  close(): Promise<void>;
}

export const registerStream = (app: FastifyInstance, ports: StreamPorts): StreamDoor => {
  const open = new Set<StreamConnection>();
  const upgrades = new Upgrades(app, STREAM_PATH);
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
  ports.metrics.watch('faircopy_open_streams', 'Streams that are open.', () => open.size);

  const drainTimeoutMs = Math.min(ports.config.finalizeTimeoutMs, ports.config.shutdownGraceMs);

  const start = (upgrade: PendingUpgrade, request: FastifyRequest, facts: Admitted): void => {
    const raw = request.raw;
    answerHeaders.set(raw, [
      `x-request-id: ${request.id}`,
      ...Object.entries(rateLimitHeaders(facts.limit, facts.remaining)).map(([name, value]) => `${name}: ${value}`),
    ]);
    let upgraded = false;
    sockets.handleUpgrade(raw, upgrade.socket, upgrade.head, (socket) => {
      upgraded = true;
      upgrade.response.statusCode = SWITCHING_PROTOCOLS;
      const connection = new StreamConnection(
        socket as StreamSocket,
        {
          requestId: request.id,
          principal: facts.principal,
          request: facts.stream,
          slot: facts.slot,
          settings: { ...ports.config, ...facts.stream.audio, drainTimeoutMs },
        },
        {
          clock: ports.clock,
          log: ports.log,
          meter: ports.meter,
          openDecoder: () => ports.decoding.openPcm16(facts.stream.audio),
          openSession: () =>
            ports.transcriber.open({
              requestId: request.id,
              accountId: facts.principal.accountId,
              mode: 'stream',
              model: facts.stream.model,
              languageHint: facts.stream.languageHint,
              vocabulary: facts.principal.vocabulary,
              wantWordTimes: facts.stream.include.has('words'),
            }),
          onEnd: (entry) => report(entry, ports),
        },
      );
      open.add(connection);
      void connection.ended.then(() => open.delete(connection));
      if (ports.readiness.state === 'draining') connection.drain();
    });
    // The client went away during the handshake.
    if (!upgraded) releaseSlot(facts.slot, ports);
  };

  app.get(STREAM_PATH, { schema: { hide: true } as object }, async (request, reply) => {
    if (!upgrades.isPending(request.raw)) return explain(request, reply, ports);
    checkUpgradeHeaders(request.raw.headers);
    const protocols = offeredProtocols(request.raw.headers['sec-websocket-protocol']);
    const admitted = await admit(presentedKey(request.query as Query, protocols), request, reply, ports);
    const upgrade = upgrades.take(request.raw);
    if (!upgrade) throw new Error('an upgrade was taken twice');
    reply.hijack();
    start(upgrade, request, admitted);
    return reply;
  });

  const description = asyncApiDocument();
  app.get('/asyncapi.json', { schema: { hide: true } as object }, async () => description);

  const drain = (): void => {
    for (const connection of open) connection.drain();
  };
  ports.readiness.draining.addEventListener('abort', drain);

  return {
    get openStreams() {
      return open.size;
    },
    async close() {
      ports.readiness.draining.removeEventListener('abort', drain);
      drain();
      await Promise.all([...open].map((connection) => connection.ended));
    },
  };
};

/** Counts a stream that has ended, and says so in the log: numbers and ids, never what was said. */
const report = (entry: UsageEntry, { metrics, log }: StreamPorts) => {
  metrics.count(entry);
  const { requestId, accountId, model, status, audioSeconds, billedSeconds } = entry;
  log.info({ requestId, accountId, model, status, audioSeconds, billedSeconds }, 'stream ended');
};

/**
 * A plain request cannot stream; with a key it is told what a handshake would be told. Browsers hide the answer to a
 * refused handshake from their scripts: this is how ours learns the reason.
 */
const explain = async (request: FastifyRequest, reply: FastifyReply, ports: StreamPorts): Promise<FastifyReply> => {
  const key = presentedKey(request.query as Query, new Set()) || keyInHeader(request.headers.authorization);
  if (key !== '') releaseSlot((await admit(key, request, reply, ports)).slot, ports);
  const fault = new Fault('INVALID_REQUEST', {
    message: 'This address speaks WebSocket: connect with ws:// or wss://. To send a file, POST /v1/transcribe.',
  });
  return reply.code(UPGRADE_REQUIRED).header('upgrade', 'websocket').send(errorBody(fault, request.id));
};
