// The file of a call: its bytes and the caller's options come in any order, and recognition starts once both are known.
import type { LiveDecoder } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';
import type { Session, SessionEvent, Transcript } from '../../transcription/transcriber.ts';
import { TranscriptCollector } from '../../transcription/transcript-collector.ts';
import type { Admission } from '../admission.ts';
import { AudioPump } from '../audio-pump.ts';
import type { Call, TranscriptionOptions } from '../call.ts';
import { sameTerms } from '../request-vocabulary.ts';
import { EncodedFile } from './encoded-file.ts';
import { FileStart } from './file-start.ts';
import { LengthCheck } from './length-check.ts';
import { CHANNELS_MAX } from './merge-channels.ts';
import type { UploadMemory } from './upload-memory.ts';

export interface UploadParts {
  readonly admission: Admission;
  readonly memory: UploadMemory;
  /** Decodes all channels mixed, or one of them. */
  readonly openDecoder: (channel?: number) => LiveDecoder;
  /** Opens a decoder that only measures. */
  readonly openMeasure: () => LiveDecoder;
  readonly stuckAfterMs: (audioSeconds: number) => number;
}

export interface TranscribedAudio {
  readonly transcript: Transcript;
  /** Exact seconds of audio. */
  readonly audioSeconds: number;
  /** Channels that were transcribed, each of which is billed. Default: one. */
  readonly channels?: number;
}

/** Receives text as soon as it is stable, with the seconds of audio that it covers from the start. */
export type StableTextListener = (text: string, coveredSeconds: number) => void;

export interface TranscribedChannels {
  readonly transcripts: readonly Transcript[];
  readonly audioSeconds: number;
}

const LATE_OPTIONS = 'Options that ask for words or speakers must come before a file this large.';

/** One pass over the file with one set of options. */
interface Pass {
  readonly options: TranscriptionOptions;
  readonly session: Session;
  readonly decoder: LiveDecoder;
  readonly pump: AudioPump;
  readonly collector: TranscriptCollector;
}

export class Upload {
  readonly #call: Call;
  readonly #parts: UploadParts;
  readonly #file: EncodedFile;
  /** discarded: the call is over or certain to fail, so the rest of the file is only counted. */
  #state: 'empty' | 'arriving' | 'discarded' = 'empty';
  #receivedBytes = 0;
  #pausedWrites = 0;
  #options: TranscriptionOptions | undefined;
  #pass: Pass | undefined;
  #onStableText: StableTextListener = () => {};
  readonly #fileStart = new FileStart();
  #lengthCheck: LengthCheck | undefined;
  #tooLongSeconds = 0;
  readonly #onTooLong: (fault: Fault) => void;

  /** `onTooLong` is called as soon as the audio is known to be too long, even if recognition is far behind. */
  constructor(call: Call, parts: UploadParts, onTooLong: (fault: Fault) => void) {
    this.#call = call;
    this.#onTooLong = onTooLong;
    this.#parts = parts;
    this.#file = new EncodedFile(parts.memory, call.principal.accountId);
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Whether the server makes the caller wait. */
  get isHoldingBack(): boolean {
    return this.#pausedWrites > 0;
  }

  /** Seconds of audio; exact once the transcript is complete. */
  get audioSeconds(): number {
    return Math.max(this.#pass?.pump.audioSeconds ?? 0, this.#tooLongSeconds);
  }

  /** Sets the options known so far; may be called again when more have arrived. */
  configure(options: TranscriptionOptions): void {
    this.#options = options;
    this.#call.choose(options.model);
    this.#call.tag(options.tags ?? []);
    this.#start();
  }

  /** Call when the channels are to be transcribed separately, which starts once the file is complete. */
  holdForChannels(): void {
    this.#options = undefined;
    this.#file.keepForChannels();
    if (!this.#pass) return;
    if (!this.#file.isReplayable) throw new Fault('INVALID_REQUEST', { message: LATE_OPTIONS });
    this.#pass.pump.cancel();
    this.#pass = undefined;
    this.#file.endReading();
  }

  /** Call when no further options can make this call succeed. */
  discard(): void {
    this.release();
  }

  /** Bytes of the file, in order. A promise asks the caller to wait before sending more. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#receivedBytes += bytes.length;
    if (this.#state === 'discarded') return undefined;
    const room = this.#file.write(bytes);
    if (this.#state === 'empty') {
      this.#state = 'arriving';
      this.#start();
    }
    const counted = this.#count(bytes);
    const wait = room && counted ? Promise.all([room, counted]) : (room ?? counted);
    return wait && this.#countPaused(wait);
  }

  /** A file whose index comes last is measured by that index; counting it as it arrives would buffer it twice. */
  #count(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#lengthCheck) return this.#lengthCheck.write(bytes);
    const start = this.#fileStart.add(bytes);
    if (!start || this.#fileStart.mayNeedWholeFile) return undefined;
    this.#lengthCheck = this.#openLengthCheck();
    return this.#lengthCheck.write(start);
  }

  #openLengthCheck(): LengthCheck {
    const check = new LengthCheck(this.#parts.openMeasure(), (fault) => {
      this.#tooLongSeconds = check.seconds;
      this.#onTooLong(fault);
    });
    return check;
  }

  async #countPaused(room: Promise<unknown>): Promise<void> {
    this.#pausedWrites += 1;
    try {
      await room;
    } finally {
      this.#pausedWrites -= 1;
    }
  }

  /** Call when the file and the options are complete. */
  async finish(onStableText?: StableTextListener): Promise<TranscribedAudio> {
    const pass = this.#pass;
    if (!pass) throw new Error('there is no audio to finish');
    if (onStableText) {
      this.#onStableText = onStableText;
      pass.session.emitStableText();
    }
    this.#file.readOnce();
    return this.#finish(pass);
  }

  /** Transcribes each channel of the complete file, one after the other. */
  async finishChannels(options: TranscriptionOptions): Promise<TranscribedChannels> {
    const { admission } = this.#parts;
    this.#call.choose(options.model);
    this.#call.tag(options.tags ?? []);
    admission.check('file', options.model, this.#call.principal);
    const transcripts: Transcript[] = [];
    let channels = 1;
    for (let channel = 0; channel < channels; channel++) {
      const pass = this.#open(options, channel);
      if (channel === channels - 1 && channel > 0) this.#file.readOnce();
      transcripts.push((await this.#finish(pass)).transcript);
      channels = Math.min(CHANNELS_MAX, pass.decoder.sourceChannels);
    }
    return { transcripts, audioSeconds: this.audioSeconds };
  }

  /** Stops decoding and recognition. Safe at any time. */
  release(): void {
    // Bytes that still arrive must not open another decoder.
    this.#state = 'discarded';
    this.#lengthCheck?.release();
    this.#file.release();
    this.#pass?.pump.cancel();
  }

  async #finish({ pump, collector }: Pass): Promise<TranscribedAudio> {
    this.#file.complete();
    this.#lengthCheck?.complete();
    await pump.finish();
    return { transcript: collector.transcript, audioSeconds: pump.audioSeconds };
  }

  /** Starts a pass once audio and options are known; starts over when later options need another reading. */
  #start(): void {
    const options = this.#options;
    if (!options || this.#state !== 'arriving') return;
    const current = this.#pass;
    if (!current) {
      this.#parts.admission.check('file', options.model, this.#call.principal);
      this.#open(options);
    } else if (needsAnotherReading(current.options, options)) {
      if (this.#file.isReplayable) {
        current.pump.cancel();
        this.#open(options);
      }
      // Late hints and terms are ignored, since they only bias recognition; words requested too late would be missing.
      else if (options.wantWordTimes || options.speakers) throw new Fault('INVALID_REQUEST', { message: LATE_OPTIONS });
    } else this.#call.setRefinement(current.session, options);
  }

  #open(options: TranscriptionOptions, channel?: number): Pass {
    const { openDecoder, stuckAfterMs } = this.#parts;
    const collector = new TranscriptCollector();
    const listener = (event: SessionEvent): void => {
      if (event.type === 'stable_text') this.#onStableText(event.text, event.untilMs / 1000);
      collector.take(event);
    };
    const session = this.#call.openSession(options, listener);
    const decoder = openDecoder(channel);
    const pump = new AudioPump({
      source: this.#file.read(),
      decoder: this.#call.traced(decoder),
      session,
      stuckAfterMs,
      isAwaited: () => this.#file.isComplete,
    });
    const pass: Pass = { options, session, decoder, pump, collector };
    this.#pass = pass;
    // finish() rejects with the failure; until then the rest of the file is ignored.
    pump.delivered.catch(() => {
      if (this.#pass !== pass) return;
      this.#file.release();
      session.cancel();
    });
    return pass;
  }
}

const needsAnotherReading = (one: TranscriptionOptions, other: TranscriptionOptions): boolean =>
  one.languageHint !== other.languageHint ||
  one.languages?.join() !== other.languages?.join() ||
  one.wantWordTimes !== other.wantWordTimes ||
  !sameSpeakers(one.speakers, other.speakers) ||
  !sameTerms(one.vocabulary ?? [], other.vocabulary ?? []);

const sameSpeakers = (one: TranscriptionOptions['speakers'], other: TranscriptionOptions['speakers']): boolean =>
  (one === undefined) === (other === undefined) &&
  (['count', 'min', 'max', 'names', 'knownVoices'] as const).every((name) => one?.[name] === other?.[name]);
