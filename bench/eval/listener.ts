// Whoever is scored: a tier of the service, or a model run the plain way.
import type { ManifestRow } from './score.ts';

export interface Heard {
  readonly text: string;
  /** Before refinement; the same where there is none. */
  readonly rawText: string;
  /** Null: not heard, or not asked for. */
  readonly language: string | null;
  /** Decoding of the file apart. */
  readonly wallSeconds: number;
}

export interface Listener {
  readonly name: string;
  /** How many recordings it takes at a time. */
  readonly parallel: number;
  /** Whether the recording is in a language it claims to know. */
  knows(row: ManifestRow): boolean;
  hear(path: string, row: ManifestRow): Promise<Heard>;
  close(): Promise<void>;
}
