// One Wyoming connection: reads events in order, answers them, and closes after an error so that the peer notices.
import type { Socket } from 'node:net';
import type { ModelId } from '@faircopy/contract';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import type { Calls } from '../../calls/calls.ts';
import type { ModelNames } from '../../calls/model-names.ts';
import { asFault, Fault } from '../../lib/fault.ts';
import { newRequestId } from '../../lib/request-id.ts';
import { FrameFault, FrameParser, frameOf, type WyomingEvent } from './frames.ts';
import { infoOf } from './info.ts';
import { readWyomingAudio, WyomingUtterance } from './utterance.ts';

export interface WyomingParts {
  readonly calls: Calls;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
  readonly names: ModelNames;
  readonly models: readonly ModelId[];
  /** The account's key. */
  readonly key: string;
  readonly idleTimeoutMs: number;
  readonly maxSeconds: number;
}

/** Events that may wait for the one before them. Past it, the peer is not read. */
const WAITING_MAX = 64;

export class WyomingConnection {
  readonly #socket: Socket;
  readonly #parts: WyomingParts;
  readonly #parser = new FrameParser();
  #waiting: Promise<void> = Promise.resolve();
  #waitingCount = 0;
  #utterance: WyomingUtterance | undefined;
  #model: ModelId;
  #language: string | undefined;
  #isHeld = false;
  /** Resolves when the peer is gone and everything of it is on record. */
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
      await this.#utterance?.leave();
    });
  }

  /** The server stops: what is being said is not waited for. */
  close(): void {
    this.#socket.destroy();
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
    this.#flow();
    this.#waiting = this.#waiting
      .then(() => (this.#socket.destroyed ? undefined : this.#handle(event)))
      .catch((thrown) => {
        const { message, code } = asFault(thrown);
        this.#endWith(message, code);
      })
      .then(() => {
        this.#waitingCount -= 1;
        this.#flow();
      });
  }

  #flow(): void {
    if (this.#isHeld || this.#waitingCount > WAITING_MAX) this.#socket.pause();
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
      // Events of other kinds of services are of no interest here.
    }
  }

  #configure({ name, language }: WyomingEvent['data']): void {
    if (typeof language === 'string' && language !== '') this.#language = language;
    if (typeof name !== 'string' || name === '') return;
    const model = this.#parts.names.tierOf(name);
    if (model === null) throw new Fault('INVALID_REQUEST', { message: 'The model is not known here.' });
    this.#model = model;
  }

  async #start(data: WyomingEvent['data']): Promise<void> {
    const { calls, decoding, key, maxSeconds } = this.#parts;
    if (this.#utterance) throw new Fault('INVALID_REQUEST', { message: 'The audio has started already.' });
    const audio = readWyomingAudio(data);
    const principal = await calls.authenticate(key);
    const call = await calls.openStream({ requestId: newRequestId(), principal }, this.#model);
    this.#utterance = new WyomingUtterance({
      ...{ call, audio, decoding, maxSeconds },
      transcription: { model: this.#model, languageHint: this.#language, wantWordTimes: false },
      hold: (isHeld) => {
        this.#isHeld = isHeld;
        this.#flow();
      },
    });
  }

  async #stop(): Promise<void> {
    const utterance = this.#utterance;
    if (!utterance) throw new Fault('INVALID_REQUEST', { message: 'No audio has started.' });
    const { text, language } = await utterance.finish();
    this.#utterance = undefined;
    this.#send('transcript', { text, ...(language !== null && { language }) });
  }

  #send(type: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#socket.writable) this.#socket.write(frameOf(type, data));
  }

  /** Home Assistant does not look at errors, and waits on: only the end of the connection tells it. */
  #endWith(text: string, code: string): void {
    this.#send('error', { text, code });
    this.#socket.destroySoon();
  }
}
