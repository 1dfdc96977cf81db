// What the forms of a transcript are made from: what was recognised with its times, and the edits that refined it.

/** A word, or a longer stretch, as it was recognised. Times are of the recording. */
export interface TimedText {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Probability in 0..1. */
  readonly confidence: number;
}

/** `after` stands in the refined text in place of a span of the raw text. */
export interface TextEdit {
  readonly after: string;
  /** Offsets into the raw text, in UTF-16 code units. */
  readonly rawStart: number;
  readonly rawEnd: number;
}

export interface RefinedTranscript {
  readonly rawText: string;
  /** In order, none overlapping: they lead from the raw text to the refined text. */
  readonly edits: readonly TextEdit[];
  /** Words as they were recognised; empty when no times are known. */
  readonly words: readonly TimedText[];
  /** Longer stretches with times: they serve where there are no words. */
  readonly segments: readonly TimedText[];
}

/** A word of the refined text. */
export interface WrittenWord extends TimedText {
  /** White space before it in the text; empty between words of scripts without spaces. */
  readonly gap: string;
}
