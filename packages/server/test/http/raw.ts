// Speaks HTTP by hand, for requests that no library would send.
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export class RawClient {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #state: 'open' | 'closed' = 'open';
  #wake: () => void = () => {};

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.#state = 'closed';
      this.#wake();
    });
  }

  get received(): string {
    return this.#received.toString('latin1');
  }

  /** Resolves when the kernel has the bytes, or the connection is closed. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.destroyed) resolve();
      else this.socket.write(bytes, () => resolve());
    });
  }

  head(lines: readonly string[]): Promise<void> {
    return this.send(`${lines.join('\r\n')}\r\n\r\n`);
  }

  /** Resolves to the next complete answer, of the length in its headers; null when the connection ends first. */
  async answer(): Promise<RawAnswer | null> {
    for (;;) {
      const answer = this.#take();
      if (answer !== null || this.#state === 'closed') return answer;
      await this.#change();
    }
  }

  async closed(): Promise<void> {
    while (this.#state === 'open') await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #take(): RawAnswer | null {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return null;
    const [first, ...lines] = this.#received.toString('latin1', 0, headEnd).split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const end = headEnd + 4 + Number(headers.get('content-length') ?? 0);
    if (this.#received.length < end) return null;
    const body = this.#received.toString('utf8', headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    return { status: Number(first!.split(' ')[1]), headers, body };
  }
}
