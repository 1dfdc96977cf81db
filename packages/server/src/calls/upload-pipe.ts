// The way of an uploaded file: encoded bytes in, samples into a session. Bytes wait encoded until there is a session.
import { samplesToSeconds } from '../audio/pcm.ts';
import { mayNeedWholeFile, type UploadDecoder } from '../audio/upload-decoding.ts';
import { Fault } from '../lib/fault.ts';
import type { Session } from '../transcription/transcriber.ts';

/** Samples that a session may be given beyond what it asks for once the upload is over, so that its clock can start. */
const EAGER_SECONDS_MAX = 300;
/** Encoded bytes that may wait for the decoder once a session takes the samples. Past it, the caller waits. */
const QUEUED_BYTES_MAX = 1024 * 1024;

export interface UploadPipeOptions {
  readonly openDecoder: () => UploadDecoder;
  /** How long a session may leave one piece of audio waiting before it is taken for stuck. */
  readonly stuckAfterMs: number;
  /** Told at once when the audio or the session fails; finish() reports it. */
  readonly onFailure: () => void;
  /** Counts bytes that begin to wait here. Throws when they are too many. */
  readonly onHeld: (bytes: number) => void;
  readonly onFreed: (bytes: number) => void;
}

/** One pass over the bytes: a decoder and the session that takes its samples. */
interface Pass {
  readonly session: Session;
  readonly decoder: UploadDecoder;
  /** Settles when the session has every sample, or with what went wrong. */
  readonly delivered: Promise<void>;
  /** Set while bytes go into the decoder. */
  writing: Promise<void> | undefined;
  /** The next chunk to decode. */
  next: number;
  state: 'running' | 'over';
}

export class UploadPipe {
  readonly #options: UploadPipeOptions;
  #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  /** Bytes that a decoder may still hold, since the file's index may stand at its end. They count until the end. */
  #bytesAtDecoder = 0;
  #needsWholeFile: boolean | undefined;
  /** Bytes that the decoder of the present pass has not taken yet. */
  #queuedBytes = 0;
  /** Whether every byte since the first is still here. */
  #replayable = true;
  #ended = false;
  #closed = false;
  #pass: Pass | undefined;
  /** Samples given to the session that it has not asked for yet. */
  #eagerSamples = 0;

  constructor(options: UploadPipeOptions) {
    this.#options = options;
  }

  /** A promise when the caller should wait before sending more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#closed || this.#pass?.state === 'over') return undefined;
    this.#needsWholeFile ??= mayNeedWholeFile(bytes);
    this.#hold(bytes.length);
    this.#chunks.push(bytes);
    this.#heldBytes += bytes.length;
    this.#queuedBytes += bytes.length;
    const pass = this.#pass;
    // Without a session the field that opens one may still be behind these bytes: waiting could be for ever.
    if (pass === undefined) return undefined;
    this.#startWriting(pass);
    if (this.#queuedBytes <= QUEUED_BYTES_MAX) return undefined;
    return Promise.race([pass.writing, pass.delivered]).catch(() => {});
  }

  /** Whether a session opened anew would still be given everything. */
  get replayable(): boolean {
    return this.#replayable;
  }

  /** The session that takes the samples, from the first one on. Replaces an earlier session. */
  open(session: Session): void {
    const earlier = this.#pass;
    if (earlier) {
      earlier.state = 'over';
      earlier.decoder.abort();
    }
    const decoder = this.#options.openDecoder();
    const pass: Pass = {
      session,
      decoder,
      delivered: this.#deliver(session, decoder),
      writing: undefined,
      next: 0,
      state: 'running',
    };
    this.#pass = pass;
    this.#queuedBytes = this.#heldBytes;
    pass.delivered.catch(() => this.#failed(pass));
    this.#startWriting(pass);
  }

  /** No more bytes and no other session: resolves when the session has every sample, rejects with what went wrong. */
  async finish(): Promise<void> {
    this.#ended = true;
    this.#replayable = false;
    const pass = this.#pass;
    if (pass === undefined) return;
    if (pass.state === 'running') this.#startWriting(pass);
    try {
      await pass.delivered;
    } finally {
      this.#freeAll();
    }
  }

  /** Frees everything; pending promises settle. */
  abort(): void {
    this.#closed = true;
    this.#freeAll();
    this.#pass?.decoder.abort();
  }

  /** Seconds of audio, exact once finish() has resolved. */
  get durationSeconds(): number {
    return this.#pass?.decoder.durationSeconds ?? 0;
  }

  #failed(pass: Pass): void {
    if (pass !== this.#pass) return;
    pass.state = 'over';
    this.#freeAll();
    this.#options.onFailure();
  }

  #startWriting(pass: Pass): void {
    // What goes wrong with the bytes is what reading the samples fails with.
    pass.writing ??= this.#write(pass).catch(() => {});
  }

  async #write(pass: Pass): Promise<void> {
    // The promise of this call must stand in `writing` before it can be cleared below.
    await Promise.resolve();
    for (;;) {
      const bytes = pass.state === 'running' ? this.#chunks[pass.next] : undefined;
      if (bytes === undefined) break;
      pass.next += 1;
      await pass.decoder.write(bytes);
      if (pass !== this.#pass || pass.state === 'over') break;
      this.#queuedBytes -= bytes.length;
      if (!this.#replayable) this.#forgetDecoded(pass);
    }
    pass.writing = undefined;
    if (this.#ended && pass.state === 'running') pass.decoder.end();
  }

  /** Decoded chunks are kept for another pass as long as memory allows it. */
  #hold(bytes: number): void {
    try {
      this.#options.onHeld(bytes);
    } catch (full) {
      const pass = this.#pass;
      if (pass === undefined || pass.next === 0) throw full;
      if (this.#needsWholeFile) throw full;
      this.#replayable = false;
      this.#forgetDecoded(pass);
      this.#options.onHeld(bytes);
    }
  }

  #forgetDecoded(pass: Pass): void {
    const bytes = this.#drop(pass.next);
    pass.next = 0;
    if (this.#needsWholeFile) this.#bytesAtDecoder += bytes;
    else this.#options.onFreed(bytes);
  }

  #freeAll(): void {
    this.#options.onFreed(this.#drop(this.#chunks.length) + this.#bytesAtDecoder);
    this.#bytesAtDecoder = 0;
  }

  #drop(chunks: number): number {
    const bytes = this.#chunks.splice(0, chunks).reduce((total, chunk) => total + chunk.length, 0);
    this.#heldBytes -= bytes;
    return bytes;
  }

  async #deliver(session: Session, decoder: UploadDecoder): Promise<void> {
    for await (const samples of decoder) await this.#give(session, samples);
  }

  /** While the upload arrives the session sets the pace; after it, the session's own time-out shall be what counts. */
  #give(session: Session, samples: Float32Array): Promise<void> | undefined {
    const taken = within(this.#options.stuckAfterMs, session.write(samples));
    if (!this.#ended) return taken;
    this.#eagerSamples += samples.length;
    const onTaken = () => {
      this.#eagerSamples -= samples.length;
    };
    // A failure of the session is what its finish() rejects with.
    taken.then(onTaken, onTaken);
    return samplesToSeconds(this.#eagerSamples) > EAGER_SECONDS_MAX ? taken : undefined;
  }
}

/** Audio that a stuck recogniser does not take counts as a recognition that took too long. */
const within = async (timeoutMs: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const message = 'Recognition took too long. Nothing is billed.';
    timer = setTimeout(() => reject(new Fault('SERVICE_UNAVAILABLE', { message })), timeoutMs);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};
