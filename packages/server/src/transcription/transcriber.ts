// The one path of audio to transcript, for both modes: a session takes samples, then an end marker, then answers.
import type { ModelId } from '@faircopy/contract';
import type { Edit, RefineLevel } from '../refine/refiner.ts';
import type { RecognisedWord, SpeechTask } from '../speech/recogniser.ts';

export type { RefineLevel, SpeechTask };

export interface SessionRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly mode: 'file' | 'stream';
  readonly model: ModelId;
  /** As the caller wrote it; unknown codes are ignored. */
  readonly languageHint: string | undefined;
  readonly vocabulary: readonly string[];
  /** translate: the transcript is in English, whatever is spoken. Default: transcribe. */
  readonly task?: SpeechTask | undefined;
  /** How much of the refinement is done. Default: standard. */
  readonly refinement?: RefineLevel | undefined;
  readonly wantWordTimes: boolean;
  /** Audio of the account that may wait for recognition; past it, its sessions hold their writers back sooner. */
  readonly waitingSecondsMax: number;
  /** Nobody waits for it now: it is worked on while nothing else is to be done, and may take as long as it takes. */
  readonly isBackground?: boolean;
}

export interface TranscriptSegment {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly language: string | null;
  readonly confidence: number;
  /** How likely it is that nobody speaks there at all. */
  readonly noSpeechProbability: number;
}

export interface Transcript {
  /** The refined text. */
  readonly text: string;
  readonly rawText: string;
  readonly segments: readonly TranscriptSegment[];
  readonly words: readonly RecognisedWord[];
  readonly edits: readonly Edit[];
  readonly detectedLanguage: string | null;
  readonly outputTokenCount: number;
  /** Wall time of the stages, from the end marker on. */
  readonly recognitionMs: number;
  readonly refinementMs: number;
  readonly refinementFallback: string | null;
}

export interface Session {
  /** Resolves when more samples may be written: this is the back-pressure. Rejects with the Fault that ended the session. */
  write(samples: Float32Array): Promise<void>;
  /** The end marker. Rejects with a Fault: SERVICE_UNAVAILABLE when a stage took too long. */
  finish(): Promise<Transcript>;
  /**
   * From here on the listener is told of text that later audio does not change, in order: each text goes on where the one
   * before it ended. Begins with what has settled already; altogether it is the text of the transcript. To be called once.
   */
  onSettledText(listener: (text: string) => void): void;
  /** Stops all work for this session within a second; pending promises settle. Safe at any time. */
  cancel(): void;
  /** Whether any window has been handed to a recogniser yet. */
  readonly started: boolean;
}

/**
 * ask: only to know. enter: a request whose audio is still to come; when refused, it is given a turn. begin: its session
 * is about to open, which one that has entered may do.
 */
export type AdmissionStep = 'ask' | 'enter' | 'begin';

/** Who asks whether a request may start, and for what. */
export interface AdmissionRequest {
  readonly step: AdmissionStep;
  readonly mode: 'file' | 'stream';
  /** The tiers that it may turn out to be for; one that can start is enough. */
  readonly models: readonly ModelId[];
  readonly accountId: string;
  /** Audio of the account that may wait for recognition. */
  readonly waitingSecondsMax: number;
}

export interface Admission {
  /** Whether a request may start now. */
  readonly admitted: boolean;
  /** When not: seconds after which it may try again, from the queue and the measured throughput. */
  readonly retryAfterSeconds: number;
  /** Why not, when it is for another reason than too much work. */
  readonly reason?: string;
  /** Whether it is the account's own work that is too much. */
  readonly ownLimit?: boolean;
}

export interface Transcriber {
  admit(request: AdmissionRequest): Admission;
  open(request: SessionRequest): Session;
  /** Resolves when running sessions have ended or the time is up; cancels the rest. */
  close(): Promise<void>;
}
