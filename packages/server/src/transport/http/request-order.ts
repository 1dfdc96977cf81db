// Serves pipelined requests of a connection one after the other.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Pipelined requests that may wait. Common clients send none. */
const WAITING_MAX = 16;

type Exchange = readonly [IncomingMessage, ServerResponse];

/**
 * Without this, Node would start all of them in the same turn of the event loop and delay every other connection.
 * Requests behind an answer that closes the connection are dropped.
 */
export const oneAtATime = (serve: RequestListener): RequestListener => {
  const waiting = new WeakMap<Socket, Exchange[]>();
  const start = (socket: Socket, [request, response]: Exchange): void => {
    response.once('close', () => setImmediate(next, socket));
    serve(request, response);
  };
  const next = (socket: Socket): void => {
    const exchange = waiting.get(socket)?.shift();
    if (exchange === undefined || !socket.writable) waiting.delete(socket);
    else start(socket, exchange);
  };
  return (request, response) => {
    const { socket } = request;
    if (!socket.writable) return;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      start(socket, [request, response]);
    } else if (queue.length < WAITING_MAX) queue.push([request, response]);
    else socket.destroy();
  };
};
