// The input and output of redaction: what to hide in a text, and what was hidden.
import type { RedactedKind } from '@faircopy/contract';

export interface RedactionInput {
  readonly kinds: readonly RedactedKind[];
  /** The text spoken right before this text. */
  readonly before: string;
  /** True if more text may follow. Then an unfinished number or address at the end is hidden too. */
  readonly isOpenEnd: boolean;
  /** Salt of the hashes by which values are compared. */
  readonly salt: string;
  /** Marks assigned so far, by the hash of their value. */
  readonly known: readonly (readonly [hash: string, mark: string])[];
}

/** A span of the raw text and the mark that replaces it. */
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
