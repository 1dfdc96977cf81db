// A term that was written into the tokens of a hypothesis.

export interface AppliedTerm {
  readonly term: string;
  /** What the model wrote without it. */
  readonly instead: string;
  /** Range of its tokens in the hypothesis. */
  readonly from: number;
  readonly to: number;
  /** How many tokens it replaced. */
  readonly replaced: number;
}
