// The way of live audio: frames into the decoder, samples into the session, with back-pressure to the socket.
import type { UploadDecoder } from '../audio/upload-decoding.ts';
import { asFault, type Fault } from '../lib/fault.ts';
import type { Session, Transcript } from '../transcription/transcriber.ts';

/** A session whose end marker is answered with a transcript, or with whatever else it comes to. */
export interface PipedSession<Outcome> extends Pick<Session, 'write' | 'cancel'> {
  finish(): Promise<Outcome>;
}

/** Audio that may wait here before reading is held; about eight seconds at 16 kHz mono. */
const QUEUED_BYTES_MAX = 256 * 1024;
const QUEUED_FRAMES_MAX = 1024;

export interface AudioPipeListener<Outcome = Transcript> {
  /** More is queued than may be: hold the reading. */
  full(): void;
  room(): void;
  transcribed(outcome: Outcome, audioSeconds: number): void;
  failed(fault: Fault): void;
}

export class AudioPipe<Outcome = Transcript> {
  readonly #decoder: UploadDecoder;
  readonly #session: PipedSession<Outcome>;
  readonly #listener: AudioPipeListener<Outcome>;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #level: 'low' | 'full' = 'low';
  #stage: 'open' | 'ending' | 'cancelled' = 'open';
  #writing: Promise<void> | null = null;
  readonly #pumped: Promise<void>;

  constructor(session: PipedSession<Outcome>, decoder: UploadDecoder, listener: AudioPipeListener<Outcome>) {
    this.#listener = listener;
    this.#session = session;
    this.#decoder = decoder;
    this.#pumped = this.#pump();
    this.#pumped.catch((thrown) => this.#fail(thrown));
  }

  write(frame: Buffer): void {
    if (this.#stage !== 'open' || frame.length === 0) return;
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#queuedBytes > QUEUED_BYTES_MAX || this.#queue.length > QUEUED_FRAMES_MAX) {
      this.#level = 'full';
      this.#listener.full();
    }
    this.#writing ??= this.#writeQueued();
  }

  /** Resolves when the decoder has everything that was written so far. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** The end marker; the listener is told of the transcript or of the fault. */
  finish(): void {
    if (this.#stage !== 'open') return;
    this.#stage = 'ending';
    this.#answer().catch((thrown) => this.#fail(thrown));
  }

  /** Stops everything at once; the listener is told nothing more. */
  cancel(): void {
    if (this.#stage === 'cancelled') return;
    this.#stage = 'cancelled';
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#decoder.abort();
    this.#session.cancel();
  }

  /** Frames that came while the decoder was busy go in together: a flood of tiny ones costs no more than a large one. */
  async #writeQueued(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue.length === 1 ? (this.#queue[0] as Buffer) : Buffer.concat(this.#queue);
        this.#queue = [];
        this.#queuedBytes = 0;
        await this.#decoder.write(batch);
        if (this.#level === 'full' && this.#stage !== 'cancelled') {
          this.#level = 'low';
          this.#listener.room();
        }
      }
    } catch (thrown) {
      this.#fail(thrown);
    } finally {
      this.#writing = null;
    }
  }

  async #pump(): Promise<void> {
    for await (const samples of this.#decoder) await this.#session.write(samples);
  }

  async #answer(): Promise<void> {
    await this.#writing;
    this.#decoder.end();
    await this.#pumped;
    if (this.#stage === 'cancelled') return;
    const outcome = await this.#session.finish();
    if (this.#stage !== 'ending') return;
    this.#listener.transcribed(outcome, this.#decoder.durationSeconds);
  }

  #fail(thrown: unknown): void {
    if (this.#stage === 'cancelled') return;
    this.#listener.failed(asFault(thrown));
  }
}
