// One Wyoming connection: handles events in order and closes after an error.
import type { Socket } from 'node:net';
import type { ModelId } from '@faircopy/contract';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import type { Calls } from '../../calls/calls.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import { asFault, Fault, invalidRequest } from '../../lib/fault.ts';
import { newRequestId } from '../../lib/request-id.ts';
import { FrameFault, FrameParser, frameOf, type WyomingEvent } from './frames.ts';
import { infoOf } from './service-info.ts';
import { readWyomingAudio, WyomingUtterance } from './utterance.ts';

export interface WyomingParts {
  readonly calls: Calls;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
  readonly names: ModelNames;
  readonly models: readonly ModelId[];
  /** The API key of the account. */
  readonly key: string;
  readonly idleTimeoutMs: number;
  readonly maxSeconds: number;
}

/** Events that may wait before reading pauses. */
const WAITING_MAX = 64;
/** Unsent bytes past which the connection is dropped, because the peer does not read. */
const UNSENT_BYTES_MAX = 1024 * 1024;
/** How long a stopping server waits for a peer to read the error. */
const FAREWELL_MS_MAX = 1_000;

export class WyomingConnection {
  readonly #socket: Socket;
  readonly #parts: WyomingParts;
  readonly #parser = new FrameParser();
  #waiting: Promise<void> = Promise.resolve();
  #waitingCount = 0;
  #utterance: WyomingUtterance | undefined;
  #model: ModelId;
  #language: string | undefined;
  #isPaused = false;
  /** Resolves when the connection is closed and its usage recorded. */
  readonly ended: Promise<void>;

  constructor(socket: Socket, parts: WyomingParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#model = parts.models.at(-1)!;
    socket.setTimeout(parts.idleTimeoutMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => this.#take(chunk));
    this.ended = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(async () => {
      await this.#waiting;
      await this.#utterance?.disconnect();
    });
  }

  /** Call when the server is stopping. An open utterance fails and is not billed. */
  close(): void {
    const utterance = this.#utterance;
    if (!utterance) {
      this.#socket.destroy();
      return;
    }
    const fault = new Fault('SERVICE_UNAVAILABLE', { message: 'The server is restarting. Connect again.' });
    this.#waiting = Promise.all([utterance.fail(fault), this.#waiting]).then(() =>
      this.#endWith(fault.message, fault.code),
    );
    const timer = setTimeout(() => this.#socket.destroy(), FAREWELL_MS_MAX);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  #take(chunk: Buffer): void {
    let events: WyomingEvent[];
    try {
      events = this.#parser.push(chunk);
    } catch (thrown) {
      if (!(thrown instanceof FrameFault)) throw thrown;
      this.#endWith(thrown.message, 'INVALID_REQUEST');
      return;
    }
    for (const event of events) this.#enqueue(event);
  }

  #enqueue(event: WyomingEvent): void {
    this.#waitingCount += 1;
    this.#updateReading();
    this.#waiting = this.#waiting
      .then(() => (this.#socket.destroyed ? undefined : this.#handle(event)))
      .catch((thrown) => {
        const { message, code } = asFault(thrown);
        this.#endWith(message, code);
      })
      .then(() => {
        this.#waitingCount -= 1;
        this.#updateReading();
      });
  }

  #updateReading(): void {
    if (this.#isPaused || this.#waitingCount > WAITING_MAX) this.#socket.pause();
    else this.#socket.resume();
  }

  async #handle({ type, data, payload }: WyomingEvent): Promise<void> {
    switch (type) {
      case 'describe':
        this.#send('info', infoOf(this.#parts.models));
        return;
      case 'ping':
        this.#send('pong', typeof data.text === 'string' ? { text: data.text } : {});
        return;
      case 'transcribe':
        this.#configure(data);
        return;
      case 'audio-start':
        await this.#start(data);
        return;
      case 'audio-chunk':
        if (!this.#utterance) await this.#start(data);
        this.#utterance?.write(payload);
        return;
      case 'audio-stop':
        await this.#stop();
        return;
      default:
      // Events for other services are ignored.
    }
  }

  #configure({ name, language }: WyomingEvent['data']): void {
    if (typeof language === 'string' && language !== '') this.#language = language;
    if (typeof name !== 'string' || name === '') return;
    const model = this.#parts.names.tierOf(name);
    if (model === null) throw invalidRequest('The model is not known here.');
    this.#model = model;
  }

  async #start(data: WyomingEvent['data']): Promise<void> {
    const { calls, decoding, key, maxSeconds } = this.#parts;
    if (this.#utterance) throw invalidRequest('The audio has already started.');
    const audio = readWyomingAudio(data);
    const principal = await calls.authenticate(key, { scope: 'stream', address: this.#socket.remoteAddress ?? '' });
    const call = await calls.openStream({ requestId: newRequestId(), principal }, this.#model);
    this.#utterance = new WyomingUtterance({
      call,
      audio,
      decoding,
      maxSeconds,
      transcription: { model: this.#model, languageHint: this.#language, wantWordTimes: false },
      setPaused: (isPaused) => {
        this.#isPaused = isPaused;
        this.#updateReading();
      },
    });
  }

  async #stop(): Promise<void> {
    const utterance = this.#utterance;
    if (!utterance) throw invalidRequest('No audio has started.');
    const { text, language } = await utterance.finish();
    this.#utterance = undefined;
    this.#send('transcript', { text, ...(language !== null && { language }) });
  }

  #send(type: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#socket.writableLength > UNSENT_BYTES_MAX) this.#socket.destroy();
    else if (this.#socket.writable) this.#socket.write(frameOf(type, data));
  }

  /** Home Assistant ignores error events. It only notices the end of the connection. */
  #endWith(text: string, code: string): void {
    this.#send('error', { text, code });
    this.#socket.destroySoon();
  }
}
