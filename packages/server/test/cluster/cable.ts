// A cable between a machine and NATS that can delay, lose and stop bytes.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface CableQuality {
  /** In each direction. */
  readonly delayMs: number;
  /** Share of chunks that are lost once and resent later, as by TCP. */
  readonly loss: number;
}

const RESENT_MS = 200;

export interface Cable {
  /** NATS as seen by the machine. */
  readonly url: string;
  /** Stops all bytes, without notice. */
  cut(): Promise<void> | void;
  /** Passes bytes again, starting with the delayed ones. */
  mend(): Promise<void> | void;
  close(): Promise<void>;
}

/** One direction of a connection; keeps the order. */
class Direction {
  readonly #cable: RelayCable;
  readonly #to: Socket;
  #last: Promise<void> = Promise.resolve();

  constructor(cable: RelayCable, from: Socket, to: Socket) {
    this.#cable = cable;
    this.#to = to;
    from.on('data', (bytes: Buffer) => {
      // Blocked bytes back up in the sender's socket, as on a wire.
      from.pause();
      const due = this.#pass(bytes);
      this.#last = due.then(() => {
        from.resume();
      });
    });
    from.on('close', () => void this.#last.then(() => to.end()));
    from.on('error', () => to.destroy());
  }

  async #pass(bytes: Buffer): Promise<void> {
    const { delayMs, loss } = this.#cable.quality;
    const isLost = this.#cable.random() < loss;
    if (delayMs > 0 || isLost) await wait(delayMs + (isLost ? RESENT_MS + 2 * delayMs : 0));
    await this.#cable.whole();
    if (this.#to.destroyed || this.#to.write(bytes)) return;
    await new Promise<void>((resolve) => this.#to.once('drain', resolve).once('close', resolve));
  }
}

export class RelayCable implements Cable {
  quality: CableQuality;
  readonly random: () => number;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: Promise<void> | undefined;
  #mend: () => void = () => {};

  private constructor(target: { host: string; port: number }, quality: CableQuality, random: () => number) {
    this.#target = target;
    this.quality = quality;
    this.random = random;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async open(
    target: { host: string; port: number },
    quality: CableQuality,
    random: () => number,
    host = '127.0.0.1',
  ): Promise<RelayCable> {
    const cable = new RelayCable(target, quality, random);
    cable.#server.listen(0, host);
    await once(cable.#server, 'listening');
    return cable;
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `nats://${address}:${port}`;
  }

  /** Resolves once the cable is not cut. */
  async whole(): Promise<void> {
    while (this.#cut) await this.#cut;
  }

  cut(): void {
    this.#cut ??= new Promise((resolve) => {
      this.#mend = resolve;
    });
  }

  mend(): void {
    this.#cut = undefined;
    this.#mend();
  }

  async close(): Promise<void> {
    this.mend();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #accept(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
    socket.pause();
    await this.whole();
    if (socket.destroyed) return;
    const upstream = connect(this.#target);
    this.#sockets.add(upstream);
    upstream.on('close', () => this.#sockets.delete(upstream)).on('error', () => socket.destroy());
    new Direction(this, socket, upstream);
    new Direction(this, upstream, socket);
    socket.resume();
  }
}
