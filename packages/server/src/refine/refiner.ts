// The refiner port: recognised windows in, refined text and its edits out.
import type { RefineLevel, Term } from '@faircopy/contract';
import type { Redaction, RedactionInput } from './redaction/redaction.ts';

export interface SpokenPiece {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** ISO 639-1, or null when unknown. */
  readonly language: string | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/** none: the raw text. light: only fillers, stutters and window joins. standard: all passes. */
export type { RefineLevel };

export interface RefineInput {
  /** One piece per recognised window, sorted by time; gaps between them are pauses. */
  readonly pieces: readonly SpokenPiece[];
  /** Main language, when known. */
  readonly language: string | null;
  /** The terms of the request and of its account. */
  readonly vocabulary: readonly Term[];
  /** True when the terms already steered recognition. Then only their spelling is corrected, nothing by sound. */
  readonly isSteered?: boolean;
  /** Default: standard. */
  readonly level?: RefineLevel | undefined;
  /** What to hide. Default: nothing. */
  readonly redaction?: RedactionInput | undefined;
}

/** Text without timestamps, as input. */
export const textInput = (text: string, language: string | null): RefineInput => ({
  pieces: [{ text, startMs: 0, endMs: 0, language, confidence: 1 }],
  language,
  vocabulary: [],
});

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
  /** The joined pieces before any edit. */
  readonly rawText: string;
  readonly edits: readonly Edit[];
  /** Number of edits undone because they would have changed a number. */
  readonly numbersRestored: number;
  /** Why the language model's text was not used; null when it was, or when no model is configured. */
  readonly fallback: string | null;
  /** What was hidden. The texts and edits above contain redaction marks in its place. */
  readonly redaction?: Redaction | undefined;
}

export interface Refiner {
  refine(input: RefineInput, signal: AbortSignal): Promise<Refined>;
}
