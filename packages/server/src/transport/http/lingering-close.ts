// Closes a connection whose request is answered before its body has arrived: sends the answer and FIN, then discards
// the rest of the body. Closing at once would reset the connection, and clients that send everything before they
// read (such as Python's) would report a broken pipe instead of the answer.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface LingerLimits {
  /** Bytes to discard at most; a route for larger files has its own limit. */
  readonly bytesMax: number;
  /** A client that sends less than this between two checks is cut off. */
  readonly bytesPerCheckMin: number;
  readonly checkMs: number;
  /** Connections that may linger until the body has arrived. Further ones linger only briefly. */
  readonly perAddressMax: number;
  readonly inAllMax: number;
  readonly short: { readonly bytesMax: number; readonly ms: number };
}

const MB = 1024 * 1024;

/** Requires at least 64 KB/s, so that silent and trickling clients are cut off within about 5 s. */
export const LINGER_LIMITS: LingerLimits = {
  bytesMax: 1024 * MB,
  bytesPerCheckMin: 320 * 1024,
  checkMs: 5_000,
  perAddressMax: 32,
  inAllMax: 512,
  short: { bytesMax: 16 * MB, ms: 2_000 },
};

export class LingeringConnections {
  readonly #limits: LingerLimits;
  readonly #openBy = new Map<string, number>();
  readonly #seen = new WeakSet<Socket>();
  readonly #shorten = new Set<() => void>();
  #isClosing = false;

  constructor(limits: LingerLimits = LINGER_LIMITS) {
    this.#limits = limits;
  }

  /** Whether a request on this connection was answered early, so that anything else on it is ignored. */
  has(socket: Socket): boolean {
    return this.#seen.has(socket);
  }

  /** Call when the server stops: from now on, connections linger only briefly. */
  close(): void {
    this.#isClosing = true;
    for (const shorten of this.#shorten) shorten();
  }

  /** Discards the rest of the request's body. Call before sending the answer, which must close the connection. */
  discardRest(response: ServerResponse, address: string, routeBytesMax = 0): void {
    const { req: request } = response;
    const { socket } = request;
    const { destroySoon } = socket;
    const { short, checkMs, bytesPerCheckMin } = this.#limits;
    let remainingBytes = short.bytesMax;
    let bytes = 0;
    let timer: NodeJS.Timeout | undefined;

    const cutOff = () => {
      clearInterval(timer);
      request.off('data', onData).off('end', cutOff).off('close', cutOff);
      if (this.#shorten.delete(shorten)) this.#leave(address);
      socket.destroySoon = destroySoon;
      // Otherwise Node closes the connection once the answer is written.
      if (response.writableFinished) socket.destroySoon();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) cutOff();
    };
    const shorten = () => {
      clearInterval(timer);
      timer = setTimeout(cutOff, short.ms);
    };
    const checkPace = () => {
      if (bytes < bytesPerCheckMin) cutOff();
      bytes = 0;
    };

    this.#seen.add(socket);
    if (socket.destroyed) return;
    // Node calls this once the answer is written. The original would close both directions.
    socket.destroySoon = () => socket.end();
    if (this.#hasRoom(address)) {
      remainingBytes = Math.max(this.#limits.bytesMax, routeBytesMax);
      timer = setInterval(checkPace, checkMs);
      this.#shorten.add(shorten);
      this.#openBy.set(address, (this.#openBy.get(address) ?? 0) + 1);
    } else shorten();
    request
      .on('error', () => {})
      .on('data', onData)
      .on('end', cutOff)
      .on('close', cutOff);
    request.resume();
  }

  #hasRoom(address: string): boolean {
    const { perAddressMax, inAllMax } = this.#limits;
    return !this.#isClosing && this.#shorten.size < inAllMax && (this.#openBy.get(address) ?? 0) < perAddressMax;
  }

  #leave(address: string): void {
    const left = (this.#openBy.get(address) ?? 1) - 1;
    if (left > 0) this.#openBy.set(address, left);
    else this.#openBy.delete(address);
  }
}
