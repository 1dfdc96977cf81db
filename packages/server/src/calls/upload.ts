// The file of a call: its bytes and the caller's options come in any order, and recognition starts as soon as both are known.
import type { UploadDecoder } from '../audio/upload-decoding.ts';
import { Fault } from '../lib/fault.ts';
import type { Session, Transcript } from '../transcription/transcriber.ts';
import type { Admission } from './admission.ts';
import type { Call, TranscriptionOptions } from './call.ts';
import type { HeldBytes } from './held-bytes.ts';
import { UploadPipe } from './upload-pipe.ts';

export interface UploadParts {
  readonly admission: Admission;
  readonly held: HeldBytes;
  readonly openDecoder: () => UploadDecoder;
  readonly stuckAfterMs: number;
}

export class Upload {
  readonly #call: Call;
  readonly #parts: UploadParts;
  readonly #pipe: UploadPipe;
  /** discarded: it is certain that the call fails, so the rest of the file is only counted. */
  #state: 'empty' | 'arriving' | 'discarded' = 'empty';
  #receivedBytes = 0;
  #holdingBack = 0;
  #options: TranscriptionOptions | undefined;
  #session: { readonly options: TranscriptionOptions; readonly live: Session } | undefined;

  constructor(call: Call, parts: UploadParts) {
    this.#call = call;
    this.#parts = parts;
    const { accountId } = call.principal;
    this.#pipe = new UploadPipe({
      openDecoder: parts.openDecoder,
      stuckAfterMs: parts.stuckAfterMs,
      onFailure: () => this.#session?.live.cancel(),
      onHeld: (bytes) => parts.held.take(accountId, bytes),
      onFreed: (bytes) => parts.held.giveBack(accountId, bytes),
    });
  }

  /** Bytes of the file that have come so far. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Whether it is we who let the caller wait. */
  get isHoldingBack(): boolean {
    return this.#holdingBack > 0;
  }

  /** Seconds of audio; exact once the transcript is being waited for. */
  get audioSeconds(): number {
    return this.#pipe.durationSeconds;
  }

  /** What is asked, as far as it is known; may be called again when more of it has come. */
  configure(options: TranscriptionOptions): void {
    this.#options = options;
    this.#call.choose(options.model);
    this.#openSession();
  }

  /** No options can make this call succeed any more. */
  discard(): void {
    this.#state = 'discarded';
    this.#pipe.abort();
  }

  /** Bytes of the file, in order. A promise holds the caller back. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#receivedBytes += bytes.length;
    if (this.#state === 'discarded') return undefined;
    const wait = this.#pipe.write(bytes);
    if (this.#state === 'empty') {
      this.#state = 'arriving';
      this.#openSession();
    }
    return wait && this.#heldBack(wait);
  }

  async #heldBack(wait: Promise<void>): Promise<void> {
    this.#holdingBack += 1;
    try {
      await wait;
    } finally {
      this.#holdingBack -= 1;
    }
  }

  /** The file and the options are complete. Waits for the rest of the decoding, then for the transcript. */
  async finish(onSettledText?: (text: string) => void): Promise<Transcript> {
    if (this.#session === undefined) throw new Error('there is no audio to finish');
    if (onSettledText) this.#session.live.onSettledText(onSettledText);
    await this.#pipe.finish();
    return this.#session.live.finish();
  }

  /** Stops decoding and recognition. Safe at any time. */
  release(): void {
    this.#pipe.abort();
    this.#session?.live.cancel();
  }

  /** Opens a session when audio and options are there; anew when later options ask for something else. */
  #openSession(): void {
    const options = this.#options;
    if (options === undefined || this.#state !== 'arriving') return;
    const current = this.#session;
    if (current === undefined) this.#parts.admission.check('file', options.model, this.#call.principal);
    else if (!differ(options, current.options)) return;
    else if (this.#pipe.replayable) current.live.cancel();
    // Hints and terms only bias; words that were asked for too late would be missing.
    else if (options.wantWordTimes) throw new Fault('INVALID_REQUEST', { message: LATE_OPTIONS });
    else return;
    this.#session = { options, live: this.#call.openSession(options) };
    this.#pipe.open(this.#session.live);
  }
}

const LATE_OPTIONS = 'Options that ask for words must come before a file this large.';

const differ = (one: TranscriptionOptions, other: TranscriptionOptions): boolean =>
  one.languageHint !== other.languageHint ||
  one.wantWordTimes !== other.wantWordTimes ||
  one.refinement !== other.refinement ||
  !sameTerms(one.vocabulary ?? [], other.vocabulary ?? []);

const sameTerms = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((term, index) => term === other[index]);
