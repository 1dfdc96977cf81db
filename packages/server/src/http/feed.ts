// Feeds one upload through its decoder into a session: bytes in, samples out, in whatever order the form's fields come.
import type { UploadDecoder } from '../audio/decode.ts';
import { samplesToSeconds } from '../audio/pcm.ts';
import { Fault } from '../platform/fault.ts';
import type { Session } from '../transcription/transcriber.ts';

/** Decoded audio that may wait for the field that names the model. Past it, the (smaller) encoded bytes wait. */
const HELD_SECONDS_MAX = 300;
/** Samples that a session may be given beyond what it asks for once the upload is over, so that its clock can start. */
const EAGER_SECONDS_MAX = 300;
/** Encoded bytes that may wait for the decoder once a session takes the samples. Past it, the caller waits. */
const QUEUED_BYTES_MAX = 1024 * 1024;

export interface FeedOptions {
  /** How long a session may leave one piece of audio waiting before it is taken for stuck. */
  readonly stuckAfterMs: number;
  /** Told at once when the audio or the session fails; finish() reports it. */
  readonly onFailure: () => void;
}

export class AudioFeed {
  readonly #decoder: UploadDecoder;
  readonly #stuckAfterMs: number;
  #session: Session | undefined;

  /** Bytes that the decoder has not taken yet; bounded by the largest file. */
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #ended = false;
  #writing: Promise<void> | undefined;

  /** Samples kept so that another session can still be given all of them; `#sent` of them went to the present one. */
  #held: Float32Array[] = [];
  #heldSamples = 0;
  #sent = 0;
  #keeping: 'all' | 'unsent' = 'all';
  /** Samples given to the session that it has not asked for yet. */
  #eagerSamples = 0;
  #opened: () => void = () => {};
  readonly #sessionOpened = new Promise<void>((resolve) => {
    this.#opened = resolve;
  });

  readonly #reading: Promise<void>;
  /** Resolves when no more samples will come, for good or ill. */
  readonly #over: Promise<void>;
  #isOver = false;

  constructor(decoder: UploadDecoder, { stuckAfterMs, onFailure }: FeedOptions) {
    this.#decoder = decoder;
    this.#stuckAfterMs = stuckAfterMs;
    this.#reading = this.#read();
    this.#over = this.#reading.then(
      () => this.#close(),
      () => {
        this.#close();
        onFailure();
      },
    );
  }

  /** A promise when the caller should wait before sending more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    this.#startWriting();
    // Without a session the field that opens one may still be behind these bytes: waiting could be for ever.
    const mustWait = this.#session !== undefined && this.#queuedBytes > QUEUED_BYTES_MAX;
    return mustWait ? Promise.race([this.#writing ?? this.#over, this.#over]) : undefined;
  }

  /** Whether a session opened anew would still be given everything. */
  get replayable(): boolean {
    return this.#keeping === 'all';
  }

  /** The session that takes the samples, from the first one on. Replaces an earlier session. */
  open(session: Session): void {
    this.#session = session;
    this.#sent = 0;
    this.#opened();
  }

  /** No more bytes and no other session: resolves when the session has every sample, rejects with what went wrong. */
  async finish(): Promise<void> {
    this.#ended = true;
    this.#keeping = 'unsent';
    if (!this.#isOver) this.#startWriting();
    await this.#reading;
    await this.#send();
  }

  /** Frees everything; pending promises settle. */
  abort(): void {
    this.#close();
    this.#held = [];
    this.#decoder.abort();
    this.#opened();
  }

  /** Seconds of audio, exact once finish() has resolved. */
  get durationSeconds(): number {
    return this.#decoder.durationSeconds;
  }

  /** From here on bytes are ignored. */
  #close(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  #startWriting(): void {
    // What goes wrong with the bytes is what reading the samples fails with.
    this.#writing ??= this.#write().catch(() => {});
  }

  async #write(): Promise<void> {
    for (let bytes = this.#queue.shift(); bytes !== undefined; bytes = this.#queue.shift()) {
      await this.#decoder.write(bytes);
      this.#queuedBytes = Math.max(0, this.#queuedBytes - bytes.length);
    }
    this.#writing = undefined;
    if (this.#ended) this.#decoder.end();
  }

  async #read(): Promise<void> {
    for await (const samples of this.#decoder) {
      this.#held.push(samples);
      this.#heldSamples += samples.length;
      if (samplesToSeconds(this.#heldSamples) > HELD_SECONDS_MAX) {
        await this.#sessionOpened;
        this.#keeping = 'unsent';
      }
      await this.#send();
    }
  }

  /** Hands held samples to the session, as long as it stays the same one. */
  async #send(): Promise<void> {
    while (this.#session !== undefined && this.#sent < this.#held.length) {
      const session = this.#session;
      const samples = this.#held[this.#sent]!;
      this.#sent += 1;
      if (this.#keeping === 'unsent') {
        for (const gone of this.#held.splice(0, this.#sent)) this.#heldSamples -= gone.length;
        this.#sent = 0;
      }
      try {
        await this.#give(session, samples);
      } catch (thrown) {
        // A session that was replaced is cancelled; what it says then is of no interest.
        if (session === this.#session) throw thrown;
      }
    }
  }

  /** While the upload arrives the session sets the pace; after it, the session's own time-out shall be what counts. */
  #give(session: Session, samples: Float32Array): Promise<void> | undefined {
    const taken = within(this.#stuckAfterMs, session.write(samples));
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
