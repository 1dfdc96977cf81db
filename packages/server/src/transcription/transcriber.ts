// The port of transcription: a session takes samples and an end marker, and emits what it hears as events.
import type { ModelId, RedactedKind, Term } from '@faircopy/contract';
import type { Edit, RefineLevel } from '../refine/refiner.ts';
import type { PlacedTerm, RecognisedWord, SpeechTask } from '../speech/recogniser.ts';
import type { SpeakerOptions } from './speakers/sessions/speakers.ts';
import type { TranscriptSpeakers, WordSpeaker } from './speakers/sessions/transcript-speakers.ts';

export type { RefineLevel, SpeakerOptions, SpeechTask, TranscriptSpeakers, WordSpeaker };

/** When a session emits finals. */
export type FinalPolicy =
  /** One final for the whole recording, after the end marker. */
  | { readonly kind: 'whole' }
  /** One final per utterance, while people speak. */
  | {
      readonly kind: 'utterances';
      /** Silence that ends an utterance; null when pauses end none. */
      readonly endpointingMs: number | null;
      /** Interims cost recognition, so callers ask for them. */
      readonly wantInterims: boolean;
      /** Detects ends of turns; absent: none. */
      readonly turns?: TurnThresholds | undefined;
    };

/** When a turn ends. The values are read at each decision, so the caller may change them. */
export interface TurnThresholds {
  /** Probability at which the turn ends. */
  readonly end: number;
  /** Probability at which it has probably ended; null: no such event. */
  readonly eagerEnd: number | null;
  /** Silence after which it ends in any case. */
  readonly timeoutMs: number;
}

/** What a speaker says until somebody else may answer. */
export interface Turn {
  readonly index: number;
  /** Its first speech, and how far it has been heard. */
  readonly startMs: number;
  readonly endMs: number;
  readonly finals: readonly Final[];
  /** What is said after the finals; null when they are all of it. */
  readonly interim: Interim | null;
  /** Probability that it has ended. */
  readonly endProbability: number;
}

/** started: its first words are there. eager_end: it has probably ended. resumed: it had not. ended: at a pause. */
export type TurnStep = 'started' | 'updated' | 'eager_end' | 'resumed' | 'ended';

export interface SessionRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly mode: 'file' | 'stream';
  readonly model: ModelId;
  /** As the caller wrote it; unknown codes are ignored. */
  readonly languageHint: string | undefined;
  /** ISO 639-1: detection chooses among these. Default: any. */
  readonly languages?: readonly string[] | undefined;
  readonly vocabulary: readonly Term[];
  /** translate: the transcript is in English, whatever is spoken. Default: transcribe. */
  readonly task?: SpeechTask | undefined;
  /** Default: standard. */
  readonly refinement?: RefineLevel | undefined;
  /** Personal data to hide. Default: none. */
  readonly redaction?: readonly RedactedKind[] | undefined;
  readonly wantWordTimes: boolean;
  /** Who said what. The transcript then has words, too. Default: nobody asks, and it costs nothing. */
  readonly speakers?: SpeakerOptions | undefined;
  /** Audio of the account that may wait for recognition before its writers are held back. */
  readonly waitingSecondsMax: number;
  /** Background work runs on spare capacity and has no stage time-outs. */
  readonly isBackground?: boolean;
  /** The time-outs of the stages grow with the audio. */
  readonly isLong?: boolean;
  /** Default: whole. */
  readonly finals?: FinalPolicy;
}

export interface TranscriptSegment {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly language: string | null;
  readonly confidence: number;
  readonly noSpeechProbability: number;
  readonly speaker?: WordSpeaker | null;
}

/** A word, and who said it: null when that is not known, left out when nobody asked. */
export interface TranscriptWord extends RecognisedWord {
  readonly speaker?: WordSpeaker | null;
}

/** The text of a stretch of audio. */
export interface TranscriptText {
  /** The refined text. */
  readonly text: string;
  readonly rawText: string;
  readonly segments: readonly TranscriptSegment[];
  readonly words: readonly TranscriptWord[];
  readonly edits: readonly Edit[];
  /** Terms of the vocabulary that recognition wrote, with their places in the raw text. */
  readonly terms?: readonly PlacedTerm[];
  readonly detectedLanguage: string | null;
  readonly outputTokenCount: number;
  /** Only where speakers were asked for and could be found. */
  readonly speakers?: TranscriptSpeakers;
}

/** What a usage row holds of a session. */
export interface SessionSummary {
  readonly detectedLanguage: string | null;
  readonly outputTokenCount: number;
  /** Wall time of the stages, from the end marker on. */
  readonly recognitionMs: number;
  readonly refinementMs: number;
  readonly refinementFallback: string | null;
  /** The time got short: some windows were read by one model only. */
  readonly effort?: 'reduced';
}

export type Transcript = TranscriptText & SessionSummary;

/** The open utterance so far. The next interim or final replaces it. */
export interface Interim {
  /** Where the final before it ended. */
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly RecognisedWord[];
  /** How many words, from the first on, later interims of this utterance keep. */
  readonly committed: number;
  readonly language: string | null;
}

/** A stretch of audio whose text never changes again. Each final begins where the one before it ended. */
export interface Final {
  readonly startMs: number;
  readonly endMs: number;
  /** endpoint: a silence. length: the utterance was too long. flush: the caller asked. end: the recording ended. */
  readonly endedBy: 'endpoint' | 'length' | 'flush' | 'end';
  readonly transcript: TranscriptText;
}

/** New speakers for words that were emitted in a final less than ten seconds of audio ago. */
export interface ChangedSpeakers {
  /** Of the final. */
  readonly startMs: number;
  readonly endMs: number;
  readonly transcript: TranscriptText;
}

export type SessionEvent =
  /** `isContinued`: after a flush in the middle of speech. */
  | { readonly type: 'speech_started'; readonly atMs: number; readonly isContinued: boolean }
  /** Emitted once the silence is long enough; `atMs` is the end of the voice. */
  | { readonly type: 'speech_ended'; readonly atMs: number }
  /** The caller ended the open utterance, or the silence, here. Its final follows. */
  | { readonly type: 'flushed'; readonly atMs: number }
  | { readonly type: 'turn'; readonly step: TurnStep; readonly turn: Turn }
  /** Nobody speaks at `untilMs`, and everything before it has been judged. */
  | { readonly type: 'silence'; readonly untilMs: number }
  | { readonly type: 'interim'; readonly interim: Interim }
  /** Text that later audio does not change, in order. Joined, these are the text of the final. `untilMs`: its audio. */
  | { readonly type: 'stable_text'; readonly text: string; readonly untilMs: number }
  | { readonly type: 'final'; readonly final: Final }
  | { readonly type: 'speakers_changed'; readonly changed: ChangedSpeakers }
  | { readonly type: 'done'; readonly summary: SessionSummary };

export type SessionListener = (event: SessionEvent) => void;

export interface Session {
  /** Resolves when more samples may be written: this is the back-pressure. Rejects with the Fault that ended the session. */
  write(samples: Float32Array): Promise<void>;
  /** Ends the open utterance here. Resolves after its final, which may be empty. */
  flush(): Promise<void>;
  /**
   * The end marker. Resolves after `done`. Rejects with a Fault: SERVICE_UNAVAILABLE when a stage took too long.
   * `spentMs`: time of the recognition stage that was spent on decoding. `channelActivity`: which of two mixed channels
   * is heard when; if they hold different people, that says who speaks.
   */
  finish(spentMs?: number, channelActivity?: Uint8Array): Promise<void>;
  /** From here on, emits `stable_text` events, beginning with what is stable already. */
  emitStableText(): void;
  /** Changes the refinement of text that is still to come, and what is hidden in it. */
  setRefinement(level: RefineLevel | undefined, redaction: readonly RedactedKind[]): void;
  /** Changes the terms of windows that are still to come. */
  setVocabulary(terms: readonly Term[]): void;
  /** Stops all work within a second; pending promises settle and nothing more is emitted. Safe at any time. */
  cancel(): void;
}

/**
 * ask: a question only. enter: a request whose audio is still to come; a refusal reserves its retry. begin: its session
 * is about to open, which a request that has entered may do.
 */
export type AdmissionStep = 'ask' | 'enter' | 'begin';

export interface AdmissionRequest {
  readonly step: AdmissionStep;
  readonly mode: 'file' | 'stream';
  /** The tiers it may turn out to need; one that can start is enough. */
  readonly models: readonly ModelId[];
  readonly accountId: string;
  /** Audio of the account that may wait for recognition. */
  readonly waitingSecondsMax: number;
}

export interface AdmissionAnswer {
  readonly admitted: boolean;
  /** When refused: seconds until a retry may succeed, from the queue and the measured throughput. */
  readonly retryAfterSeconds: number;
  /** Why it was refused, unless the reason is load. */
  readonly reason?: string;
  /** Whether the account's own work is the reason. */
  readonly ownLimit?: boolean;
}

export interface Transcriber {
  admit(request: AdmissionRequest): AdmissionAnswer;
  open(request: SessionRequest, listener: SessionListener): Session;
  /** Resolves when running sessions have ended or the grace period is over; cancels the rest. */
  close(): Promise<void>;
}
