// The recogniser port: a window of speech in, words with times out. Real engines and the scripted one stand behind it.
import type { ModelId } from '@faircopy/contract';

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

export interface RecogniseJob {
  readonly tier: ModelId;
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
  /** Terms to listen for, where the model can take a prompt. */
  readonly vocabulary: readonly string[];
  /** Wanted only when the caller asked for words, since it costs time. */
  readonly wantWordTimes: boolean;
}

export interface Recognition {
  readonly text: string;
  /** Empty unless word times were wanted. */
  readonly words: readonly RecognisedWord[];
  /** Ranked guesses, best first; empty when nothing could be said. */
  readonly languages: readonly LanguageGuess[];
  /** The rest on whose two sides different languages were heard; null when there is none, or nobody listened for it. */
  readonly languageChange: number | null;
  readonly averageLogProbability: number;
  readonly noSpeechProbability: number;
  /** Which model produced the text, e.g. `whisper-small`. */
  readonly engine: string;
  /** Milliseconds of model time this job took. */
  readonly computeMs: number;
}

export interface Recogniser {
  /** How many jobs run at the same time; more are refused, since queueing is the scheduler's. */
  readonly slots: number;
  recognise(job: RecogniseJob, signal: AbortSignal): Promise<Recognition>;
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
