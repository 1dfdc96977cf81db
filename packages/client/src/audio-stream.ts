// The base class of all streams: connection, back-pressure, keep-alive, and exactly one outcome.
import { LIMITS } from '@faircopy/contract/values';
import { FaircopyError } from './error.ts';
import type { OpenSocket, SocketListener } from './transport/transport.ts';

/** Raw pcm16: samples, or bytes that may be split anywhere. */
export type AudioChunk = ArrayBuffer | ArrayBufferView;

/** A keep-alive message is sent after this long without audio: a third of the server's idle timeout. */
const KEEP_ALIVE_MS = LIMITS.idleTimeoutMs / 3;
/** Larger chunks are sent in pieces of this size. */
const FRAME_BYTES_MAX = 256 * 1024;

export interface StreamParts {
  connect(listener: SocketListener, signal: AbortSignal): Promise<OpenSocket>;
  readonly signal?: AbortSignal | undefined;
}

/** The control messages of a protocol. */
export interface ControlMessages {
  readonly keepAlive: string;
  readonly finish: string;
}

type State = 'connecting' | 'open' | 'finishing' | 'ended';

const bytesOf = (audio: AudioChunk): Uint8Array =>
  ArrayBuffer.isView(audio) ? new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength) : new Uint8Array(audio);

/** Some browsers cannot iterate a ReadableStream yet. */
async function* chunksOf(source: AsyncIterable<AudioChunk> | ReadableStream<AudioChunk>): AsyncIterable<AudioChunk> {
  if (Symbol.asyncIterator in source) return yield* source;
  const reader = (source as ReadableStream<AudioChunk>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

export abstract class AudioStream<Result> {
  /** Resolves when the handshake is complete; rejects with the reason if it is refused. */
  readonly opened: Promise<void>;
  /** Always settles. */
  protected readonly ended: Promise<Result>;
  readonly #socket: Promise<OpenSocket>;
  readonly #messages: ControlMessages;
  readonly #connecting = new AbortController();
  #state: State = 'connecting';
  #keepAlive: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #settle!: { resolve(result: Result): void; reject(reason: unknown): void };
  #unlisten: () => void = () => undefined;

  constructor({ connect, signal }: StreamParts, messages: ControlMessages) {
    this.#messages = messages;
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    if (signal) {
      const onAbort = () => this.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#unlisten = () => signal.removeEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
    }
    this.#socket = connect(
      {
        message: (text) => {
          void this.#onAlive();
          if (this.#state !== 'ended') this.onMessage(text);
        },
        alive: () => void this.#onAlive(),
        closed: (code, reason) => this.onClosed(code, reason),
      },
      this.#connecting.signal,
    );
    this.opened = this.#socket.then(
      (socket) => {
        if (this.#state === 'ended') return void socket.close();
        this.#state = 'open';
        this.#scheduleKeepAlive(socket);
      },
      (reason) => {
        this.reject(reason);
        throw reason;
      },
    );
    // A caller may await only one of the two; the other must not count as unhandled.
    this.opened.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  /** Sends audio. Resolves when more can be sent; rejects with the reason when the stream has ended. */
  async send(audio: AudioChunk): Promise<void> {
    const socket = await this.#socket;
    const bytes = bytesOf(audio);
    for (let start = 0; start < bytes.length; start += FRAME_BYTES_MAX) {
      if (this.#state === 'ended') return void (await this.ended);
      if (this.#state === 'finishing') throw new TypeError('The stream is finished; no more audio can be sent.');
      this.#scheduleKeepAlive(socket);
      await socket.send(bytes.subarray(start, start + FRAME_BYTES_MAX));
    }
  }

  /** Sends all audio of a source, at the pace the server accepts it. Stops early when the stream ends. */
  async sendAll(source: AsyncIterable<AudioChunk> | ReadableStream<AudioChunk>): Promise<void> {
    for await (const chunk of chunksOf(source)) {
      await this.send(chunk);
      // Leaving the loop cancels the source. A live stream that the server ended in order rejects nothing.
      if (this.#state === 'ended') return void (await this.ended);
    }
  }

  /** Marks the end of the audio and resolves to the result. */
  async finish(): Promise<Result> {
    try {
      await this.opened;
      if (this.isOpen) {
        this.#state = 'finishing';
        clearTimeout(this.#keepAlive);
        // Started before the message is sent: on a lost connection, sending may wait for ever too.
        this.#awaitServer(await this.#socket);
        await this.sendMessage(this.#messages.finish);
      }
    } catch {
      // `ended` rejects with the same reason.
    }
    return this.ended;
  }

  /** Disconnects without waiting for a result. */
  abort(reason: unknown = new DOMException('The stream was aborted.', 'AbortError')): void {
    if (this.#state === 'ended') return;
    const isConnected = this.#state !== 'connecting';
    this.reject(reason);
    if (isConnected) void this.#socket.then((socket) => socket.close());
    else this.#connecting.abort(reason);
  }

  protected abstract onMessage(text: string): void;

  protected onClosed(closeCode: number, reason: string): void {
    const why = reason === '' ? '.' : `: ${reason}`;
    this.reject(new FaircopyError('STREAM_CLOSED', `The stream was closed (code ${closeCode})${why}`, { closeCode }));
  }

  /** Whether audio can be sent. */
  protected get isOpen(): boolean {
    return this.#state === 'open';
  }

  protected async sendMessage(message: string): Promise<void> {
    const socket = await this.#socket;
    await socket.send(message);
  }

  protected resolve(result: Result): void {
    this.#end();
    this.#settle.resolve(result);
  }

  protected reject(reason: unknown): void {
    this.#end();
    this.#settle.reject(reason);
  }

  #end(): void {
    this.#state = 'ended';
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#silence);
    this.#unlisten();
  }

  /** After `finish` nothing is sent, so only this timer notices a connection that was lost without being closed. */
  #awaitServer(socket: OpenSocket): void {
    clearTimeout(this.#silence);
    if (this.#state !== 'finishing') return;
    this.#silence = setTimeout(() => {
      const seconds = socket.silenceMsMax / 1000;
      this.reject(new FaircopyError('STREAM_CLOSED', `The server has been silent for ${seconds} seconds.`));
      socket.close();
    }, socket.silenceMsMax);
  }

  async #onAlive(): Promise<void> {
    if (this.#state === 'finishing') this.#awaitServer(await this.#socket);
  }

  #scheduleKeepAlive(socket: OpenSocket): void {
    clearTimeout(this.#keepAlive);
    if (this.#state !== 'open') return;
    this.#keepAlive = setTimeout(() => {
      void socket.send(this.#messages.keepAlive);
      this.#scheduleKeepAlive(socket);
    }, KEEP_ALIVE_MS);
  }
}
