// Speculative decoding: a likely text is proposed to a decoder as a draft. One run checks several tokens; those that
// the decoder would have chosen itself are accepted without further runs.

/** Tokens per proposal: fewer when the alignment is less certain. Checking this many costs little more than one. */
const AHEAD_IN_STEP = 16;
const AHEAD_REJOINED = 6;
const AHEAD_LOST = 2;
/** A position with more common tokens is more likely, one further from the expected position less likely. */
const COST_OF_DISTANCE = 0.15;
const LIKELIHOOD_MIN = 0.5;

export class TokenDraft {
  readonly #tokens: readonly number[];
  /** The draft position after the last common token, and the tokens decoded since. */
  #at = 0;
  #since = 0;

  constructor(tokens: readonly number[]) {
    this.#tokens = tokens;
  }

  /** The first proposal. */
  first(): readonly number[] {
    return this.#tokens.slice(0, AHEAD_IN_STEP);
  }

  /** The decoder chose the proposed token. */
  accept(): void {
    this.#at += this.#since + 1;
    this.#since = 0;
  }

  /** The next proposal, after a token that differs from the proposed one, or after all were accepted. */
  after(decoded: readonly number[], offeredAll: boolean): readonly number[] {
    const place = this.#rejoin(decoded);
    if (place === null) this.#since += 1;
    else {
      this.#at = place;
      this.#since = 0;
    }
    // Assume that the tokens since the last common one replace the same number in the draft.
    const next = this.#at + this.#since;
    const count = place === null ? AHEAD_LOST : offeredAll ? AHEAD_IN_STEP : AHEAD_REJOINED;
    return this.#tokens.slice(next, next + count);
  }

  /** The draft position after its likeliest match with the end of `decoded`; null when no match is likely. */
  #rejoin(decoded: readonly number[]): number | null {
    const expected = this.#at + this.#since;
    let place: number | null = null;
    let best = LIKELIHOOD_MIN;
    for (let index = 0; index < this.#tokens.length; index++) {
      const likelihood = this.#inCommon(decoded, index) - COST_OF_DISTANCE * Math.abs(index - expected);
      if (likelihood < best) continue;
      place = index + 1;
      best = likelihood;
    }
    return place;
  }

  /** Length of the common suffix of `decoded` and the draft up to this index. */
  #inCommon(decoded: readonly number[], index: number): number {
    let count = 0;
    while (count <= index && count < decoded.length && this.#tokens[index - count] === decoded.at(-1 - count))
      count += 1;
    return count;
  }
}
