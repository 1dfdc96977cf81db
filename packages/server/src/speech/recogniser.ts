// The recogniser port: a window of speech in, text and words with times out. The real and the scripted engine fulfil it.
import type { ModelId } from '@faircopy/contract';

/** The contract's name for a tier is its model id. In this room "model" means an acoustic model of the catalogue. */
export type TierId = ModelId;

export interface RecognisedWord {
  readonly text: string;
  /** Milliseconds from the start of the window. */
  readonly startMs: number;
  readonly endMs: number;
  /** Probability in 0..1. */
  readonly confidence: number;
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

/** translate: into English. */
export type SpeechTask = 'transcribe' | 'translate';

export interface SpeechWindow {
  /** The request that the window belongs to, for logs. */
  readonly requestId: string;
  readonly tier: TierId;
  /** Default: transcribe. */
  readonly task?: SpeechTask;
  /** 16 kHz mono; at most 30 s. */
  readonly samples: Float32Array;
  /** Pauses within the window, the longest first, each as a sample of it: another language may begin there. */
  readonly pausePositions: readonly number[];
  /** The text right before this window. Null at the beginning, after a long pause, or when it was not sure. */
  readonly precedingText: PrecedingText | null;
  /** Language already decided for this window; null lets the recogniser detect it. */
  readonly language: string | null;
  /** ISO 639-1 hint of the caller, or `zh-Hant`: biases detection, never forces it. */
  readonly languageHint: string | null;
  /** What the account has spoken lately, each language with its share: weighs where the sound is unclear. */
  readonly recentLanguages?: readonly LanguageGuess[];
  /** Terms that are likely to be said, for models that can take them. */
  readonly vocabulary: readonly string[];
  /** Wanted only when the caller asked for words, since it costs time. */
  readonly wantWordTimes: boolean;
  /** Words with which this audio begins, known already: models that can go on after them and do not read them again. */
  readonly committedText?: string;
  /** An earlier reading of the rest, or of most of it: makes decoding faster, and but for rounding changes nothing. */
  readonly draft?: string;
  /** The text is shown for a moment and recognised again soon: one model's opinion is enough. */
  readonly isInterim?: boolean;
  /** Text of this speech is shown while it is spoken: interims and finals are read by the same models. */
  readonly isCaptioned?: boolean;
}

export interface Recognition {
  readonly text: string;
  /** Empty unless word times were wanted. */
  readonly words: readonly RecognisedWord[];
  /** Ranked guesses, best first; empty when there is no text. */
  readonly languages: readonly LanguageGuess[];
  /** The pause on whose two sides different languages are spoken; null when there is none, or it was not looked for. */
  readonly languageChange: number | null;
  readonly averageLogProbability: number;
}

/**
 * No recogniser can take the work just now: its process died, hung, is loading or is closed. The caller may try again.
 * Any other error of this port is a bug.
 */
export class RecogniserUnavailable extends Error {
  override readonly name: string = 'RecogniserUnavailable';
}

/** Whoever had the window is gone, or never began: it is as good as new for the next recogniser. */
export class WindowLost extends RecogniserUnavailable {
  override readonly name = 'WindowLost';
  /** Whether somebody may have worked on it. */
  readonly wasBegun: boolean;
  constructor(message: string, { wasBegun }: { readonly wasBegun: boolean }) {
    super(message);
    this.wasBegun = wasBegun;
  }
}

/** How many windows wait, by tier. */
export type WaitingWindows = ReadonlyMap<TierId, number>;

/** Slots that differ between tiers, come and go with other machines, and are shared with other servers. */
export interface Capacity {
  /** Windows of the tier that may begin now. */
  freeSlots(tier: TierId): number;
  /** Whether anybody recognises the tier, busy or not. */
  serves(tier: TierId): boolean;
  /** Other servers wait for slots that are shared with them. */
  readonly isContended: boolean;
  /** Told what waits here, so that slots are lent where they are wanted. */
  setWaiting(waiting: WaitingWindows): void;
  /** The listener hears of every change, besides those at the beginning and end of a window. */
  onChange(listener: () => void): void;
}

export interface Recogniser {
  /** How many windows run at the same time. More are an error, since queueing is the scheduler's. */
  readonly slots: number;
  /** Without it, every one of the slots takes any tier at any time. */
  readonly capacity?: Capacity;
  /** Rejects with RecogniserUnavailable, with the reason of the signal, or with a bug. */
  recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition>;
  close(): Promise<void>;
}

/** Speech probability per 32 ms frame, computed off the event loop; one probe per session. */
export interface VoiceProbe {
  /** Takes any number of samples; resolves to the probabilities of the frames completed by them. */
  push(samples: Float32Array): Promise<Float32Array>;
  /** Probabilities of the last, partial frame (padded with silence). */
  flush(): Promise<Float32Array>;
  close(): void;
}

export const VOICE_FRAME_SAMPLES = 512;

export interface SpeechEngine {
  readonly recogniser: Recogniser;
  openVoiceProbe(): VoiceProbe;
  /** Resolves when every model is loaded and warm; rejects when that cannot be. */
  ready(): Promise<void>;
  close(): Promise<void>;
}
