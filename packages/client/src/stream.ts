// One stream from the client's side: connect, send audio, finish, and one answer however it goes.
import { LIMITS, type ServerMessage, type SuccessResponse } from '@faircopy/contract';
import { FaircopyError, parseJson } from './error.ts';
import type { OpenSocket, SocketListener } from './transport.ts';

/** Raw pcm16: bytes in any split, or samples. */
export type AudioChunk = ArrayBuffer | ArrayBufferView;

/** Silence after which a keep_alive goes out; a third of the server's idle time-out. */
const KEEP_ALIVE_MS = LIMITS.idleTimeoutMs / 3;
/** Larger chunks are sent in pieces of this size. */
const FRAME_BYTES_MAX = 256 * 1024;

export interface StreamParts {
  /** Opens the connection; the listener hears of messages and of the close. */
  connect(listener: SocketListener, signal: AbortSignal): Promise<OpenSocket>;
  readonly signal?: AbortSignal | undefined;
  readonly keepAliveMs?: number;
}

type State = 'connecting' | 'open' | 'finishing' | 'ended';

export class TranscriptionStream {
  /** Resolves when the handshake is through; rejects with the reason it was refused. */
  readonly opened: Promise<void>;
  /** The answer to this stream. Settles in every case. */
  readonly result: Promise<SuccessResponse>;

  readonly #gone = new AbortController();
  readonly #socket: Promise<OpenSocket>;
  readonly #keepAliveMs: number;
  #state: State = 'connecting';
  #keepAlive: ReturnType<typeof setTimeout> | undefined;
  #settle!: { resolve(answer: SuccessResponse): void; reject(reason: unknown): void };
  #unlisten: () => void = () => undefined;

  constructor({ connect, signal, keepAliveMs = KEEP_ALIVE_MS }: StreamParts) {
    this.#keepAliveMs = keepAliveMs;
    this.result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    if (signal) {
      const onAbort = () => this.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#unlisten = () => signal.removeEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
    }
    this.#socket = connect(
      { message: (text) => this.#onMessage(text), closed: (code, reason) => this.#onClosed(code, reason) },
      this.#gone.signal,
    );
    this.opened = this.#socket.then(
      (socket) => {
        if (this.#state === 'ended') return void socket.close();
        if (this.#state === 'connecting') this.#state = 'open';
        this.#keepAliveLater(socket);
      },
      (reason) => {
        this.#end(() => this.#settle.reject(reason));
        throw reason;
      },
    );
    // A caller may watch only one of the two; the other must not count as unhandled.
    this.opened.catch(() => undefined);
    this.result.catch(() => undefined);
  }

  /** Sends audio. Resolves when more is welcome, rejects with the reason when the stream has ended. */
  async send(audio: AudioChunk): Promise<void> {
    const socket = await this.#socket;
    const bytes = ArrayBuffer.isView(audio)
      ? new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength)
      : new Uint8Array(audio);
    for (let start = 0; start < bytes.length; start += FRAME_BYTES_MAX) {
      if (this.#state === 'ended') return void (await this.result);
      if (this.#state === 'finishing')
        throw new TypeError('The stream is finished already; no more audio can be sent.');
      this.#keepAliveLater(socket);
      await socket.send(bytes.subarray(start, start + FRAME_BYTES_MAX));
    }
  }

  /** Sends all audio of a source, at the pace the server takes it. Stops early when the stream ends. */
  async sendAll(source: AsyncIterable<AudioChunk>): Promise<void> {
    for await (const chunk of source) await this.send(chunk);
  }

  /** No more audio: resolves to the answer. */
  async finish(): Promise<SuccessResponse> {
    try {
      const socket = await this.#socket;
      if (this.#state === 'open' || this.#state === 'connecting') {
        this.#state = 'finishing';
        clearTimeout(this.#keepAlive);
        await socket.send(JSON.stringify({ type: 'close_stream' }));
      }
    } catch {
      // Whatever went wrong is the reason `result` rejects with.
    }
    return this.result;
  }

  /** Leaves without an answer; `result` rejects with the reason. */
  abort(reason: unknown = new DOMException('The stream was aborted.', 'AbortError')): void {
    if (this.#state === 'ended') return;
    this.#end(() => this.#settle.reject(reason));
    this.#gone.abort(reason);
    this.#socket?.then(
      (socket) => socket.close(),
      () => undefined,
    );
  }

  #onMessage(text: string): void {
    const message = parseJson(text) as Partial<ServerMessage> | undefined;
    if (message?.type === 'result') {
      const { type: _, ...answer } = message as Extract<ServerMessage, { type: 'result' }>;
      this.#end(() => this.#settle.resolve(answer));
    } else if (message?.type === 'error') {
      const { error, request_id: requestId } = message as Extract<ServerMessage, { type: 'error' }>;
      this.#end(() => this.#settle.reject(new FaircopyError(error.code, error.message, { requestId })));
    }
  }

  #onClosed(closeCode: number, reason: string): void {
    const said = reason === '' ? '' : `: ${reason}`;
    const error = new FaircopyError('STREAM_CLOSED', `The stream was closed (${closeCode}${said}).`, { closeCode });
    this.#end(() => this.#settle.reject(error));
  }

  #end(settle: () => void): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    clearTimeout(this.#keepAlive);
    this.#unlisten();
    settle();
  }

  #keepAliveLater(socket: OpenSocket): void {
    clearTimeout(this.#keepAlive);
    if (this.#state !== 'open') return;
    this.#keepAlive = setTimeout(() => {
      void socket.send(JSON.stringify({ type: 'keep_alive' }));
      this.#keepAliveLater(socket);
    }, this.#keepAliveMs);
  }
}
