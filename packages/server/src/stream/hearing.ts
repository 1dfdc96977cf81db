// The way of a stream's audio: frames into the decoder, samples into the session, and how full that way is.
import type { UploadDecoder } from '../audio/decode.ts';
import { asFault, type Fault } from '../platform/fault.ts';
import type { Session, Transcript } from '../transcription/transcriber.ts';

/** Audio that may wait here before reading is held; about eight seconds at 16 kHz mono. */
const QUEUED_BYTES_MAX = 256 * 1024;
const QUEUED_FRAMES_MAX = 1024;

export interface HearingPorts {
  openDecoder(): UploadDecoder;
  openSession(): Session;
}

export interface HearingListener {
  /** More is queued than may be: hold the reading. */
  full(): void;
  room(): void;
  transcribed(transcript: Transcript, audioSeconds: number): void;
  failed(fault: Fault): void;
}

/** Opened at the first audio, so that a silent socket costs neither a decoder nor a session. */
export class Hearing {
  readonly #decoder: UploadDecoder;
  readonly #session: Session;
  readonly #listener: HearingListener;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #level: 'low' | 'full' = 'low';
  #stage: 'hearing' | 'ending' | 'cancelled' = 'hearing';
  #feeding: Promise<void> | null = null;
  readonly #pumped: Promise<void>;

  constructor(ports: HearingPorts, listener: HearingListener) {
    this.#listener = listener;
    this.#session = ports.openSession();
    this.#decoder = ports.openDecoder();
    this.#pumped = this.#pump();
    this.#pumped.catch((thrown) => this.#fail(thrown));
  }

  hear(frame: Buffer): void {
    if (this.#stage !== 'hearing' || frame.length === 0) return;
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#queuedBytes > QUEUED_BYTES_MAX || this.#queue.length > QUEUED_FRAMES_MAX) {
      this.#level = 'full';
      this.#listener.full();
    }
    this.#feeding ??= this.#feed();
  }

  /** The end marker; the listener hears of the transcript or of the fault. */
  finish(): void {
    if (this.#stage !== 'hearing') return;
    this.#stage = 'ending';
    this.#answer().catch((thrown) => this.#fail(thrown));
  }

  /** Stops everything at once; the listener hears nothing more. */
  cancel(): void {
    if (this.#stage === 'cancelled') return;
    this.#stage = 'cancelled';
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#decoder.abort();
    this.#session.cancel();
  }

  /** Frames that came while the decoder was busy go in together: a flood of tiny ones costs no more than a large one. */
  async #feed(): Promise<void> {
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
      this.#feeding = null;
    }
  }

  async #pump(): Promise<void> {
    for await (const samples of this.#decoder) await this.#session.write(samples);
  }

  async #answer(): Promise<void> {
    await this.#feeding;
    this.#decoder.end();
    await this.#pumped;
    if (this.#stage === 'cancelled') return;
    const transcript = await this.#session.finish();
    if (this.#stage !== 'ending') return;
    this.#listener.transcribed(transcript, this.#decoder.durationSeconds);
  }

  #fail(thrown: unknown): void {
    if (this.#stage === 'cancelled') return;
    this.#listener.failed(asFault(thrown));
  }
}
