// A system under evaluation: a tier of the service, or a model run as its publisher shows.
import type { ManifestRow } from './score.ts';

export interface Transcription {
  readonly text: string;
  /** Before refinement; the same where there is none. */
  readonly rawText: string;
  /** Null: not detected, or not asked for. */
  readonly language: string | null;
  /** Without decoding of the file. */
  readonly wallSeconds: number;
}

export interface ScoredSystem {
  readonly name: string;
  /** Recordings at a time. */
  readonly parallel: number;
  /** Whether it claims to know the language of the recording. */
  supports(row: ManifestRow, set: string): boolean;
  transcribe(path: string, row: ManifestRow, set: string): Promise<Transcription>;
  close(): Promise<void>;
}
