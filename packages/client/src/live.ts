// A live stream from the client's side: audio goes out, typed events come in while somebody speaks.
import { LIMITS } from '@faircopy/contract';
import { FaircopyError, parseJson } from './error.ts';
import type { LiveEvent, LiveText } from './live-events.ts';
import type { AudioChunk } from './stream.ts';
import type { OpenSocket, SocketListener } from './transport.ts';

export interface LiveParts {
  connect(listener: SocketListener, signal: AbortSignal): Promise<OpenSocket>;
  readonly onEvent: (event: LiveEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Silence after which a KeepAlive goes out; a third of the server's idle time-out. */
const KEEP_ALIVE_MS = LIMITS.idleTimeoutMs / 3;
const FRAME_BYTES_MAX = 256 * 1024;

interface Message {
  readonly type?: string;
  readonly timestamp?: number;
  readonly start?: number;
  readonly duration?: number;
  readonly is_final?: boolean;
  readonly speech_final?: boolean;
  readonly from_finalize?: boolean;
  readonly description?: string;
  readonly channel?: {
    readonly alternatives?: readonly {
      readonly transcript: string;
      readonly words: readonly { punctuated_word: string; start: number; end: number; confidence: number }[];
    }[];
  };
}

export class LiveStream {
  /** Resolves when the handshake is through; rejects with the reason it was refused. */
  readonly opened: Promise<void>;
  /** The joined finals. Settles in every case. */
  readonly transcript: Promise<string>;
  readonly #gone = new AbortController();
  readonly #socket: Promise<OpenSocket>;
  readonly #onEvent: (event: LiveEvent) => void;
  readonly #finals: string[] = [];
  #flushes: (() => void)[] = [];
  #state: 'open' | 'finishing' | 'ended' = 'open';
  #problem: string | undefined;
  #keepAlive: ReturnType<typeof setInterval> | undefined;
  #settle!: { resolve(text: string): void; reject(reason: unknown): void };

  constructor({ connect, onEvent, signal }: LiveParts) {
    this.#onEvent = onEvent;
    this.transcript = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.transcript.catch(() => undefined);
    signal?.addEventListener('abort', () => this.abort(signal.reason), { once: true });
    this.#socket = connect(
      { message: (text) => this.#onMessage(text), closed: (code, reason) => this.#onClosed(code, reason) },
      this.#gone.signal,
    );
    this.opened = this.#socket.then(
      (socket) => {
        this.#keepAlive = setInterval(() => void socket.send('{"type":"KeepAlive"}'), KEEP_ALIVE_MS);
      },
      (reason) => {
        this.#end(() => this.#settle.reject(reason));
        throw reason;
      },
    );
    this.opened.catch(() => undefined);
    if (signal?.aborted) this.abort(signal.reason);
  }

  /** Sends audio. Resolves when more is welcome. */
  async send(audio: AudioChunk): Promise<void> {
    const socket = await this.#socket;
    const bytes = ArrayBuffer.isView(audio)
      ? new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength)
      : new Uint8Array(audio);
    for (let start = 0; start < bytes.length; start += FRAME_BYTES_MAX) {
      if (this.#state !== 'open') return void (await this.transcript);
      await socket.send(bytes.subarray(start, start + FRAME_BYTES_MAX));
    }
  }

  async sendAll(source: AsyncIterable<AudioChunk>): Promise<void> {
    for await (const chunk of source) await this.send(chunk);
  }

  /** Ends the open utterance here; resolves when its final has come. */
  async flush(): Promise<void> {
    const socket = await this.#socket;
    if (this.#state !== 'open') return;
    const flushed = new Promise<void>((resolve) => this.#flushes.push(resolve));
    await socket.send('{"type":"Finalize"}');
    await flushed;
  }

  /** No more audio: resolves to the joined finals. */
  async finish(): Promise<string> {
    const socket = await this.#socket.catch(() => undefined);
    if (socket && this.#state === 'open') {
      this.#state = 'finishing';
      await socket.send('{"type":"CloseStream"}');
    }
    return this.transcript;
  }

  /** Leaves at once. */
  abort(reason: unknown = new DOMException('The stream was aborted.', 'AbortError')): void {
    if (this.#state === 'ended') return;
    this.#end(() => this.#settle.reject(reason));
    this.#gone.abort(reason);
    this.#socket.then(
      (socket) => socket.close(),
      () => undefined,
    );
  }

  #onMessage(text: string): void {
    const message = (parseJson(text) ?? {}) as Message;
    if (message.type === 'SpeechStarted') this.#onEvent({ type: 'speech_started', atSeconds: message.timestamp ?? 0 });
    else if (message.type === 'Error') this.#problem = message.description;
    else if (message.type === 'Results') this.#onResults(message);
  }

  #onResults({ start = 0, duration = 0, is_final, speech_final, from_finalize, channel }: Message): void {
    const [best] = channel?.alternatives ?? [];
    const told: LiveText = {
      text: best?.transcript ?? '',
      words: (best?.words ?? []).map((word) => ({
        text: word.punctuated_word,
        startSeconds: word.start,
        endSeconds: word.end,
        confidence: word.confidence,
      })),
      startSeconds: start,
      endSeconds: start + duration,
    };
    if (!is_final) {
      this.#onEvent({ type: 'interim', ...told });
      return;
    }
    if (told.text !== '') this.#finals.push(told.text);
    this.#onEvent({ type: 'final', isEndpoint: speech_final === true, ...told });
    if (from_finalize) this.#flushes.shift()?.();
  }

  #onClosed(closeCode: number, reason: string): void {
    const text = this.#finals.join(' ');
    if (closeCode === 1000) {
      this.#end(() => this.#settle.resolve(text));
      return;
    }
    const said = this.#problem ?? (reason === '' ? '' : `: ${reason}`);
    const error = new FaircopyError('STREAM_CLOSED', `The stream was closed (${closeCode}${said}).`, { closeCode });
    this.#end(() => this.#settle.reject(error));
  }

  #end(settle: () => void): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    clearInterval(this.#keepAlive);
    for (const resolve of this.#flushes.splice(0)) resolve();
    settle();
  }
}
