// What every section of the benchmark is given, and how it says where it is.
import type { ModelId } from '@faircopy/contract';
import type { Clip } from '../clips.ts';

/** English first, since every tier treats it apart. */
export interface Spoken {
  readonly language: string;
  readonly sentences: readonly Clip[];
}

export interface Context {
  readonly tiers: readonly ModelId[];
  readonly languages: readonly Spoken[];
  /** Seconds of the clips. */
  readonly lengths: readonly number[];
  readonly clients: readonly number[];
  /** Requests of a cell, of short clips. */
  readonly rounds: number;
  /** Speech of each language that the peers hear, in seconds. */
  readonly peerSeconds: number;
  /** Clips for the peers are whole sentences up to these lengths. */
  readonly peerLengths: readonly number[];
  /** Parts of the names of the peers wanted. */
  readonly peers: readonly string[];
  /** Requests of the endurance run. */
  readonly requests: number;
  readonly say: (text: string) => void;
}

export interface Section {
  readonly title: string;
  /** What the figures mean and how they were taken. */
  readonly about: string;
  /** Markdown. */
  run(context: Context): Promise<string>;
}

/** The stage limits of a service are for callers; here a cell may take as long as it takes. */
export const PATIENT = { FAIRCOPY_RECOGNITION_TIMEOUT_MS: '3600000', FAIRCOPY_MAX_STREAMS: '1000' };
