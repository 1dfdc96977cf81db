// A section of `npm run bench`, and what each one is given.
import type { ModelId } from '@faircopy/contract';
import type { Clip } from '../clips.ts';

/** Recorded sentences of one language. English comes first: every tier has a model of its own for it. */
export interface LanguageSpeech {
  readonly language: string;
  readonly sentences: readonly Clip[];
}

export interface Context {
  readonly tiers: readonly ModelId[];
  readonly languages: readonly LanguageSpeech[];
  /** Seconds of the clips. */
  readonly lengths: readonly number[];
  readonly clients: readonly number[];
  /** Requests per row, for short clips. */
  readonly rounds: number;
  /** Speech of each set that the peers transcribe. */
  readonly peerSeconds: number;
  /** Whole sentences are packed into clips of at most these seconds for the peers; 0 keeps the clips of eval/en. */
  readonly peerLengths: readonly number[];
  /** Only peers whose name contains one of these. */
  readonly peers: readonly string[];
  /** Folder with the source of whisper.cpp, which is built and measured too. */
  readonly whisperSource: string | null;
  /** Requests of the endurance run. */
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

/** Time-outs protect callers; a measurement may take as long as it needs. */
export const NO_TIMEOUTS = { FAIRCOPY_RECOGNITION_TIMEOUT_MS: '3600000', FAIRCOPY_MAX_STREAMS: '1000' };
