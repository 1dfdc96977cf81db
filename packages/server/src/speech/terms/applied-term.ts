// A term that stands in the tokens of a hypothesis.

/** A term in a hypothesis. */
export interface AppliedTerm {
  readonly term: string;
  /** What the model wrote without it. */
  readonly instead: string;
  /** Its tokens. */
  readonly from: number;
  readonly to: number;
  /** How many tokens it replaced. */
  readonly replaced: number;
}
