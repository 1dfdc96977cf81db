// The input of this package: recognised words with their times, and the edits of refinement.

/** A recognised word or segment, with its time in the recording. */
export interface TimedText {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Probability in 0..1. */
  readonly confidence: number;
  /** Its speaker; null when unknown, absent when not requested. */
  readonly speaker?: SpokenBy | null | undefined;
}

export interface SpokenBy {
  /** 0, 1, … */
  readonly speaker: number;
  /** Confidence of the label, from 0.5 to 1. */
  readonly confidence: number;
}

/** `after` replaces a span of the raw text. */
export interface TextEdit {
  readonly after: string;
  /** Offsets into the raw text, in UTF-16 code units. */
  readonly rawStart: number;
  readonly rawEnd: number;
}

export interface RefinedTranscript {
  readonly rawText: string;
  /** In order, without overlap. Applied to the raw text, they give the refined text. */
  readonly edits: readonly TextEdit[];
  /** Recognised words; empty when no times are known. */
  readonly words: readonly TimedText[];
  /** Recognised segments, used where no words have times. */
  readonly segments: readonly TimedText[];
}

/** A word of the refined text. */
export interface WrittenWord extends TimedText {
  /** The white space before the word; empty in scripts without spaces. */
  readonly gap: string;
}
