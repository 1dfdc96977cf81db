// What is to be hidden in a text, and what was.
import type { RedactedKind } from '@faircopy/contract';

export interface RedactionInput {
  readonly kinds: readonly RedactedKind[];
  /** What was said right before this text. */
  readonly before: string;
  /** Whether more may follow: a number at the end is hidden, since the next text may continue it. */
  readonly isOpenEnd: boolean;
  /** Values are compared by their salted hashes. */
  readonly salt: string;
  /** Marks given out so far: the hash of the value, and its mark. */
  readonly known: readonly (readonly [hash: string, mark: string])[];
}

/** A stretch of the raw text and the mark that replaces it. */
export interface RedactedSpan {
  readonly rawStart: number;
  readonly rawEnd: number;
  readonly mark: string;
}

export interface Redaction {
  /** Offsets are in the text before redaction. */
  readonly spans: readonly RedactedSpan[];
  readonly known: RedactionInput['known'];
}
