// The recogniser interface: a window of speech in, text and timed words out.
import type { ModelId, Term } from '@faircopy/contract';
import type { SpeakerSource } from './speakers/speaker-features.ts';
import type { TurnDetector } from './turns/turn-detector.ts';

/** The contract calls a tier a model. In this room, "model" means an acoustic model of the catalogue. */
export type TierId = ModelId;

export interface RecognisedWord {
  readonly text: string;
  /** Milliseconds from the start of the window. */
  readonly startMs: number;
  readonly endMs: number;
  /** Probability in 0..1. */
  readonly confidence: number;
  /** Probability of the punctuation that follows the word, if the model provides it. */
  readonly markProbability?: number;
  /** On the first word of a vocabulary term that replaced other words. */
  readonly term?: WrittenTerm;
}

/** A vocabulary term that replaced what the models heard without it. */
export interface WrittenTerm {
  readonly text: string;
  readonly instead: string;
}

export interface LanguageGuess {
  /** ISO 639-1. */
  readonly language: string;
  readonly probability: number;
}

export interface PrecedingText {
  readonly text: string;
  /** ISO 639-1. */
  readonly language: string;
}

/** `translate` means into English. */
export type SpeechTask = 'transcribe' | 'translate';

export interface SpeechWindow {
  /** The request that the window belongs to, for logs. */
  readonly requestId: string;
  readonly tier: TierId;
  /** Default: transcribe. */
  readonly task?: SpeechTask;
  /** 16 kHz mono; at most 30 s. */
  readonly samples: Float32Array;
  /** Pauses within the window, longest first, as sample positions: the language may change there. */
  readonly pausePositions: readonly number[];
  /** The text right before the window; null at the start, after a long pause, or when it was uncertain. */
  readonly precedingText: PrecedingText | null;
  /** The language if already decided; null lets the recogniser detect it. */
  readonly language: string | null;
  /** The caller's hint, ISO 639-1 or `zh-Hant`: biases detection without forcing it. */
  readonly languageHint: string | null;
  /** The languages that the speech may be in, ISO 639-1. A single one is not detected. Default: any. */
  readonly languages?: readonly string[];
  /** Shares of the account's recent languages: they count more when the audio is unclear. */
  readonly recentLanguages?: readonly LanguageGuess[];
  /** Terms likely to occur. */
  readonly vocabulary: readonly Term[];
  /** Word times cost time: set only when the caller asked for words. */
  readonly wantWordTimes: boolean;
  /** Text already committed for the start of this audio: models that support it continue after it. */
  readonly committedText?: string;
  /** An earlier hypothesis for the rest. Speeds up decoding without changing the text, except by rounding. */
  readonly draft?: string;
  /** The text is shown briefly and recognised again soon, so one model is enough. */
  readonly isInterim?: boolean;
  /** The window may end at a short pause, which need not end the sentence: check its full stop. */
  readonly endsAtShortPause?: boolean;
  /** The text is shown while it is spoken: interims and finals must come from the same models. */
  readonly isCaptioned?: boolean;
}

export interface Recognition {
  readonly text: string;
  /** Empty unless word times were requested. */
  readonly words: readonly RecognisedWord[];
  /** Ranked guesses among the window's languages, best first; empty when there is no text. */
  readonly languages: readonly LanguageGuess[];
  /** The pause at which the language changes; null when there is none, or none was searched for. */
  readonly languageChange: number | null;
  readonly averageLogProbability: number;
  /** Probability of the full stop that ends the text if speech continues after a short pause. */
  readonly sentenceEnd?: number;
  /** Vocabulary terms that replaced other words, in text order. */
  readonly terms?: readonly PlacedTerm[];
}

export interface PlacedTerm extends WrittenTerm {
  /** Character offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/**
 * No recogniser can take the window now: its process died, hung, is loading or is closed. The caller may retry. Any
 * other error of a recogniser is a bug.
 */
export class RecogniserUnavailable extends Error {
  override readonly name: string = 'RecogniserUnavailable';
}

/** The recogniser is gone, or never started the window: another one can take it. */
export class WindowLost extends RecogniserUnavailable {
  override readonly name = 'WindowLost';
  /** Whether work on it may have started. */
  readonly wasBegun: boolean;
  constructor(message: string, { wasBegun }: { readonly wasBegun: boolean }) {
    super(message);
    this.wasBegun = wasBegun;
  }
}

/** Number of waiting windows by tier. */
export type WaitingWindows = ReadonlyMap<TierId, number>;

/** Slots that differ by tier, come and go with other machines, and are shared with other servers. */
export interface Capacity {
  /** Windows of the tier that can start now. */
  freeSlots(tier: TierId): number;
  /** Whether any recogniser serves the tier, busy or not. */
  serves(tier: TierId): boolean;
  /** Whether a window of the tier could take the slot of a running one. */
  couldReplace(running: SpeechWindow, tier: TierId): boolean;
  /** Whether other servers are waiting for shared slots. */
  readonly isContended: boolean;
  /** Announces the waiting windows, so that workers lend slots where they are needed: to background ones last. */
  setWaiting(waiting: WaitingWindows, background: WaitingWindows): void;
  /** Calls the listener on every change other than the start and end of a window. */
  onChange(listener: () => void): void;
}

export interface Recogniser {
  /** Windows that run concurrently. More are an error: queueing is the scheduler's task. */
  readonly slots: number;
  /** Without it, every slot takes any tier at any time. */
  readonly capacity?: Capacity;
  /** Whether it can recognise nothing now, because its models repeatedly failed to load. Absent: never. */
  readonly isBroken?: boolean;
  /** Calls the listener whenever `isBroken` changes. */
  onBroken?(listener: () => void): void;
  /** Rejects with RecogniserUnavailable, or with the signal's reason; any other error is a bug. */
  recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition>;
  close(): Promise<void>;
}

/** Speech probability per 32 ms frame, computed off the event loop; one probe per session. */
export interface VoiceProbe {
  /** Resolves to the probabilities of the frames that these samples complete. */
  push(samples: Float32Array): Promise<Float32Array>;
  /** Probabilities of the last, incomplete frame, padded with silence. */
  flush(): Promise<Float32Array>;
  close(): void;
}

export const VOICE_FRAME_SAMPLES = 512;

export interface SpeechEngine {
  readonly recogniser: Recogniser;
  /** Whether terms influence the recognition of a tier; if not, refinement matches them by sound. */
  steers?(tier: TierId): boolean;
  /** Absent without speaker models. */
  readonly speakers?: SpeakerSource | undefined;
  openVoiceProbe(): VoiceProbe;
  /** Absent: turns end only by timeout. */
  readonly turns?: TurnDetector;
  /** Resolves when every model is loaded and warm; rejects when loading fails. */
  ready(): Promise<void>;
  close(): Promise<void>;
}
