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
      /** Silence that ends an utterance; null when pauses do not end utterances. */
      readonly endpointingMs: number | null;
      /** Interims cost recognition time, so callers must ask for them. */
      readonly wantInterims: boolean;
      /** Detects ends of turns; off if absent. */
      readonly turns?: TurnThresholds | undefined;
    };

/** When a turn ends. The values are read at each decision, so the caller may change them. */
export interface TurnThresholds {
  /** Probability at which the turn ends. */
  readonly end: number;
  /** Probability at which an eager end is reported; null: never. */
  readonly eagerEnd: number | null;
  /** Silence after which it ends in any case. */
  readonly timeoutMs: number;
}

/** What a speaker says until somebody else may answer. */
export interface Turn {
  readonly index: number;
  /** Start of its first speech, and how far it has been heard. */
  readonly startMs: number;
  readonly endMs: number;
  readonly finals: readonly Final[];
  /** The text after the finals; null when there is none. */
  readonly interim: Interim | null;
  /** Probability that it has ended. */
  readonly endProbability: number;
  /** Whether it has started: noise ends a turn that never did. */
  readonly hasStarted: boolean;
}

/** started: it has its first words. eager_end: it has probably ended. resumed: it continues after an eager end. */
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
  /** Find out who said what; the transcript then has words, too. Default: off, at no cost. */
  readonly speakers?: SpeakerOptions | undefined;
  /** Seconds of the account's audio that may wait for recognition before `write` applies back-pressure. */
  readonly waitingSecondsMax: number;
  /** Background work runs on spare capacity, and its stages time out only after six hours. */
  readonly isBackground?: boolean;
  /** The timeouts of the stages grow with the audio. */
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

/** A word and its speaker: null when unknown, absent when not requested. */
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
  /** Vocabulary terms that recognition wrote, with their offsets in the raw text. */
  readonly terms?: readonly PlacedTerm[];
  readonly detectedLanguage: string | null;
  readonly outputTokenCount: number;
  /** Set only when speakers were requested and could be found. */
  readonly speakers?: TranscriptSpeakers;
}

/** The part of a session that its usage row records. */
export interface SessionSummary {
  readonly detectedLanguage: string | null;
  readonly outputTokenCount: number;
  /** Wall time of the stages, from the end marker on. */
  readonly recognitionMs: number;
  readonly refinementMs: number;
  readonly refinementFallback: string | null;
  /** Set when time was short, so that some windows were read by one model only. */
  readonly effort?: 'reduced';
}

export type Transcript = TranscriptText & SessionSummary;

/** The open utterance so far. The next interim or final replaces it. */
export interface Interim {
  /** End of the previous final. */
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly RecognisedWord[];
  /** How many leading words later interims of this utterance keep. */
  readonly committed: number;
  readonly language: string | null;
}

/** A stretch of audio whose text never changes again. Each final begins where the previous one ended. */
export interface Final {
  readonly startMs: number;
  readonly endMs: number;
  /** endpoint: a silence. length: the utterance was too long. flush: the caller asked. end: the recording ended. */
  readonly endedBy: 'endpoint' | 'length' | 'flush' | 'end';
  readonly transcript: TranscriptText;
}

/** New speakers for words that were emitted in a final less than ten seconds of audio ago. */
export interface ChangedSpeakers {
  /** Times of the final. */
  readonly startMs: number;
  readonly endMs: number;
  readonly transcript: TranscriptText;
}

export type SessionEvent =
  /** `isContinued`: the speech continues after a flush. */
  | { readonly type: 'speech_started'; readonly atMs: number; readonly isContinued: boolean }
  /** Emitted once the silence is long enough; `atMs` is the end of the voice. */
  | { readonly type: 'speech_ended'; readonly atMs: number }
  /** The caller ended the open utterance, or the silence, here. Its final follows. */
  | { readonly type: 'flushed'; readonly atMs: number }
  | { readonly type: 'turn'; readonly step: TurnStep; readonly turn: Turn }
  /** Nobody speaks at `untilMs`, and everything before it has been judged. */
  | { readonly type: 'silence'; readonly untilMs: number }
  | { readonly type: 'interim'; readonly interim: Interim }
  /** Text that later audio does not change, in order. Joined, it is the final's text. `untilMs`: end of its audio. */
  | { readonly type: 'stable_text'; readonly text: string; readonly untilMs: number }
  | { readonly type: 'final'; readonly final: Final }
  | { readonly type: 'speakers_changed'; readonly changed: ChangedSpeakers }
  | { readonly type: 'done'; readonly summary: SessionSummary };

export type SessionListener = (event: SessionEvent) => void;

export interface Session {
  /** Resolves when more samples may be written (back-pressure). Rejects with the Fault that ended the session. */
  write(samples: Float32Array): Promise<void>;
  /** Ends the open utterance here, then calls `onEnded`. Resolves after its final, which may be empty. */
  flush(onEnded?: () => void): Promise<void>;
  /**
   * The end marker. Resolves after `done`. Rejects with a Fault: SERVICE_UNAVAILABLE when a stage took too long.
   * `spentMs`: time of the recognition stage that was spent on decoding. `channelActivity`: which of two mixed channels
   * is heard when; if they hold different people, it determines who speaks.
   */
  finish(spentMs?: number, channelActivity?: Uint8Array): Promise<void>;
  /** From here on, emits `stable_text` events, starting with the text that is already stable. */
  emitStableText(): void;
  /** Changes the refinement and redaction of later text. */
  setRefinement(level: RefineLevel | undefined, redaction: readonly RedactedKind[]): void;
  /** Changes the vocabulary terms of later windows. */
  setVocabulary(terms: readonly Term[]): void;
  /** Stops all work within a second; pending promises settle and nothing more is emitted. Safe at any time. */
  cancel(): void;
}

/**
 * ask: only checks. enter: admits a file before its audio arrives. begin: admits a session that is about to open, which
 * succeeds for a file that has entered. A refused `enter` or `begin` reserves a retry.
 */
export type AdmissionStep = 'ask' | 'enter' | 'begin';

export interface AdmissionRequest {
  readonly step: AdmissionStep;
  readonly mode: 'file' | 'stream';
  /** The tiers that it may turn out to need; capacity for one is enough. */
  readonly models: readonly ModelId[];
  readonly accountId: string;
  /** Seconds of the account's audio that may wait for recognition. */
  readonly waitingSecondsMax: number;
}

export interface AdmissionAnswer {
  readonly admitted: boolean;
  /** When refused: seconds until a retry may succeed, from the queue and the measured throughput. */
  readonly retryAfterSeconds: number;
  /** Why it was refused, unless the reason is load. */
  readonly reason?: string;
  /** Whether the account's own work is the reason for the refusal. */
  readonly ownLimit?: boolean;
}

export interface Transcriber {
  admit(request: AdmissionRequest): AdmissionAnswer;
  open(request: SessionRequest, listener: SessionListener): Session;
  /** Resolves when running sessions have ended or the grace period is over; cancels the rest. */
  close(): Promise<void>;
}
