// The refiner port: recognised pieces in, refined text out, with the list of edits.
import type { RefineLevel } from '@faircopy/contract';

export interface SpokenPiece {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** ISO 639-1, or null when unknown. */
  readonly language: string | null;
  /** 0..1 */
  readonly confidence: number;
}

/** none: the raw text. light: fillers, stutters and window joins only. standard: everything. */
export type { RefineLevel };

export interface RefineInput {
  /** Pieces in order of time, one per recognised window; gaps between them are pauses. */
  readonly pieces: readonly SpokenPiece[];
  /** Language of the whole, when known. */
  readonly language: string | null;
  /** The account's own terms. */
  readonly vocabulary: readonly string[];
  /** How much is changed; standard when absent. */
  readonly level?: RefineLevel | undefined;
}

export interface Edit {
  readonly pass: string;
  readonly reason: string;
  readonly before: string;
  readonly after: string;
  /** Offsets into `rawText`. */
  readonly rawStart: number;
  readonly rawEnd: number;
}

export interface Refined {
  readonly text: string;
  /** The pieces joined, before any edit. */
  readonly rawText: string;
  readonly edits: readonly Edit[];
  /** Places where the chain would have changed a number, and its edits were undone. */
  readonly numbersRestored: number;
  /** Why the optional language model's text was not used; null when it was, or when none is configured. */
  readonly fallback: string | null;
}

export interface Refiner {
  refine(input: RefineInput, signal: AbortSignal): Promise<Refined>;
}
