// The interface of the sections of `npm run bench`, and their shared context.
import type { ModelId } from '@faircopy/contract';
import type { Clip } from '../clips.ts';

/** Recorded sentences of one language. English comes first, because every tier has a dedicated model for it. */
export interface LanguageSpeech {
  readonly language: string;
  readonly sentences: readonly Clip[];
}

export interface Context {
  readonly tiers: readonly ModelId[];
  readonly languages: readonly LanguageSpeech[];
  /** Clip lengths in seconds. */
  readonly lengths: readonly number[];
  readonly clients: readonly number[];
  /** Requests per row, for short clips. */
  readonly rounds: number;
  /** Seconds of speech of each set that the peers transcribe. */
  readonly peerSeconds: number;
  /** Sentences are packed into clips of at most these many seconds for the peers; 0 keeps the clips of eval/en. */
  readonly peerLengths: readonly number[];
  /** Only peers whose name contains one of these. */
  readonly peers: readonly string[];
  /** A folder with the source of whisper.cpp, which is then also built and measured. */
  readonly whisperSource: string | null;
  /** The number of requests of the endurance run. */
  readonly requests: number;
  readonly log: (text: string) => void;
}

export interface Section {
  readonly title: string;
  /** What the figures mean and how they were taken. */
  readonly about: string;
  /** Markdown. */
  run(context: Context): Promise<string>;
}

/** Settings that keep timeouts and stream limits from affecting measurements. */
export const NO_TIMEOUTS = { FAIRCOPY_RECOGNITION_TIMEOUT_MS: '3600000', FAIRCOPY_MAX_STREAMS: '1000' };
