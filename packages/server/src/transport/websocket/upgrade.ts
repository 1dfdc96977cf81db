// Upgrade requests: those for a WebSocket path go through the router; all others are served as plain requests.
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

export interface PendingUpgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly response: ServerResponse;
}

/** How long a refused client may take to read the response and close. */
const LINGER_MS = 2_000;

const destroyOnError = function (this: Duplex): void {
  this.destroy();
};

/** Routes upgrades of the registered paths. Route handlers accept them with `take`. */
export class Upgrades {
  readonly #pending = new WeakMap<IncomingMessage, PendingUpgrade>();
  readonly #paths = new Set<string>();

  constructor(app: FastifyInstance) {
    const server = app.server as Server;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', destroyOnError);
      // The answer to an earlier request has closed this connection.
      if (!socket.writable) socket.destroy();
      else if (isWebSocketFor(this.#paths, request)) this.#route(app, request, socket, head);
      else serveAsPlain(server, request, socket, head);
    });
  }

  addPath(path: string): void {
    this.#paths.add(path);
  }

  /** Hands the socket over; null when the request is not a pending upgrade. */
  take(request: IncomingMessage): PendingUpgrade | null {
    const upgrade = this.#pending.get(request);
    if (!upgrade) return null;
    this.#pending.delete(request);
    upgrade.response.detachSocket(upgrade.socket as never);
    // The access log counts the request until its connection closes.
    upgrade.socket.once('close', () => upgrade.response.emit('close'));
    // The WebSocket adds its own listener in the same turn.
    upgrade.socket.removeListener('error', destroyOnError);
    return upgrade;
  }

  isPending(request: IncomingMessage): boolean {
    return this.#pending.has(request);
  }

  #route(app: FastifyInstance, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    response.on('finish', () => {
      response.detachSocket(socket as never);
      endReadable(socket);
      response.emit('close');
    });
    this.#pending.set(request, { socket, head, response });
    app.routing(request, response);
  }
}

const isWebSocketFor = (paths: ReadonlySet<string>, request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.upgrade?.toLowerCase() === 'websocket' &&
  paths.has(request.url?.split('?', 1)[0] ?? '');

/** Ends the connection so that a client that is still sending can read the response. */
const endReadable = (socket: Duplex): void => {
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
  socket.once('end', () => socket.destroy());
  socket.end();
  socket.resume();
};

/**
 * An upgrade that is not supported must be ignored (RFC 9110, 7.8): Java's HTTP client first asks for h2c.
 * Node passes such requests to the upgrade listener, so this puts them back on the socket without the Upgrade header.
 */
const serveAsPlain = (server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void => {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    const value = request.rawHeaders[index + 1] ?? '';
    const kept = withoutUpgrade(name.toLowerCase(), value);
    if (kept !== null) lines.push(`${name}: ${kept}`);
  }
  socket.removeListener('error', destroyOnError);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
};

const withoutUpgrade = (name: string, value: string): string | null => {
  if (name === 'upgrade' || name === 'http2-settings') return null;
  if (name !== 'connection') return value;
  const kept = value.split(',').filter((part) => !/^\s*(upgrade|http2-settings)\s*$/i.test(part));
  return kept.length === 0 ? null : kept.join(',');
};
