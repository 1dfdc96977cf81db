// The open WebSockets of all endpoints: accepts upgrades and ends the connections when the server stops.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { StreamCall } from '../../calls/streams/stream-call.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Readiness } from '../../observability/readiness.ts';
import type { HttpSettings } from '../http/settings.ts';
import { StreamConnection } from './connection.ts';
import type { ConnectionSettings } from './connection-types.ts';
import type { StreamSettings } from './settings.ts';
import { StreamSocket } from './socket.ts';
import type { ProtocolContext, StreamProtocol } from './stream-protocol.ts';
import { Upgrades } from './upgrade.ts';

/** How long the peer may take for its half of the closing handshake. */
const CLOSE_TIMEOUT_MS = 5_000;
const SWITCHING_PROTOCOLS = 101;

export type StreamTimes = StreamSettings & Pick<HttpSettings, 'shutdownGraceMs'>;

export interface OpenSocketsParts {
  readonly config: StreamTimes;
  readonly clock: Clock;
  readonly readiness: Readiness;
}

export interface SocketEndpoint {
  readonly path: string;
  readonly maxPayload: number;
  /** Chooses one of the offered subprotocols; false for none. */
  readonly selectProtocol: (offered: ReadonlySet<string>) => string | false;
}

export interface Accepted {
  readonly call: StreamCall;
  /** Headers of the handshake response, besides the request id. */
  readonly headers: Readonly<Record<string, string>>;
  readonly settings: Partial<ConnectionSettings>;
  readonly openProtocol: (context: ProtocolContext) => StreamProtocol;
}

export class OpenSockets {
  readonly #parts: OpenSocketsParts;
  readonly #upgrades: Upgrades;
  readonly #open = new Set<StreamConnection>();
  readonly #drain = (): void => {
    for (const connection of this.#open) connection.drain();
  };

  constructor(app: FastifyInstance, parts: OpenSocketsParts) {
    this.#parts = parts;
    this.#upgrades = new Upgrades(app);
    parts.readiness.draining.addEventListener('abort', this.#drain);
  }

  get size(): number {
    return this.#open.size;
  }

  isUpgrade({ raw }: FastifyRequest): boolean {
    return this.#upgrades.isPending(raw);
  }

  /** Registers an endpoint. Returns the function that accepts its connections. */
  accepting({ path, maxPayload, selectProtocol }: SocketEndpoint) {
    this.#upgrades.addPath(path);
    const sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      WebSocket: StreamSocket,
      handleProtocols: selectProtocol,
      maxPayload,
      // A small compressed frame could expand to a huge one.
      perMessageDeflate: false,
      // One message per socket and turn of the event loop, so that a flood of tiny frames does not delay other sockets.
      allowSynchronousEvents: false,
      // The connection answers pings, since it knows when a peer floods or does not read.
      autoPong: false,
      // An option that is missing in the types of `ws`.
      ...{ closeTimeout: CLOSE_TIMEOUT_MS },
    });
    const answerHeaders = new WeakMap<object, readonly string[]>();
    sockets.on('headers', (headers, request) => headers.push(...(answerHeaders.get(request) ?? [])));
    return ({ raw }: FastifyRequest, reply: FastifyReply, { call, headers, settings, openProtocol }: Accepted) => {
      const upgrade = this.#upgrades.take(raw);
      if (!upgrade) throw new Error('an upgrade was accepted twice');
      reply.hijack();
      const { config, clock } = this.#parts;
      const drainTimeoutMs = Math.min(config.finalizeTimeoutMs, config.shutdownGraceMs);
      answerHeaders.set(raw, [
        `x-request-id: ${call.requestId}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ]);
      let upgraded = false;
      sockets.handleUpgrade(raw, upgrade.socket, upgrade.head, (socket) => {
        upgraded = true;
        upgrade.response.statusCode = SWITCHING_PROTOCOLS;
        this.#add(
          new StreamConnection(socket as StreamSocket, {
            call,
            settings: { ...config, drainTimeoutMs, ...settings },
            clock,
            openProtocol,
          }),
        );
      });
      // The client disconnected during the handshake.
      if (!upgraded) void call.release();
      return reply;
    };
  }

  /** Resolves when all open streams have ended, each within the drain time-out. */
  async close(): Promise<void> {
    this.#parts.readiness.draining.removeEventListener('abort', this.#drain);
    this.#drain();
    await Promise.all([...this.#open].map((connection) => connection.ended));
  }

  #add(connection: StreamConnection): void {
    this.#open.add(connection);
    void connection.ended.then(() => this.#open.delete(connection));
    if (this.#parts.readiness.state === 'draining') connection.drain();
  }
}
