// The interface of a system under evaluation: a tier of the service, a plain model, or recorded transcripts.
import type { ManifestRow } from './score.ts';

export interface Transcription {
  readonly text: string;
  /** Before refinement; equal to `text` without refinement. */
  readonly rawText: string;
  /** Null if not detected or not requested. */
  readonly language: string | null;
  /** Excludes decoding of the file. */
  readonly wallSeconds: number;
}

export interface ScoredSystem {
  readonly name: string;
  /** How many recordings to transcribe at a time. */
  readonly parallel: number;
  /** Whether the system can transcribe the recording, for example its language. */
  supports(row: ManifestRow, set: string): boolean;
  transcribe(path: string, row: ManifestRow, set: string): Promise<Transcription>;
  close(): Promise<void>;
}
