// Speculative decoding: a text that is likely is offered to a decoder as a draft. Several tokens are checked in one run,
// and those that the decoder would have chosen itself need no run of their own.

/** Tokens offered at a time. Checking so many costs little more than one; the less is certain, the fewer. */
const AHEAD_IN_STEP = 16;
const AHEAD_REJOINED = 6;
const AHEAD_LOST = 2;
/** A place with more tokens in common is the likelier one, and the further from where it is expected, the less likely. */
const COST_OF_DISTANCE = 0.15;
const LIKELIHOOD_MIN = 0.5;

export class TokenDraft {
  readonly #tokens: readonly number[];
  /** The place in the draft behind the last token in common, and how many were decoded since. */
  #at = 0;
  #since = 0;

  constructor(tokens: readonly number[]) {
    this.#tokens = tokens;
  }

  /** What is offered at the start. */
  first(): readonly number[] {
    return this.#tokens.slice(0, AHEAD_IN_STEP);
  }

  /** The decoder chose the token that was offered. */
  accept(): void {
    this.#at += this.#since + 1;
    this.#since = 0;
  }

  /** What is offered after the last of `decoded`: a token that was chosen in place of the offered one, or after all. */
  after(decoded: readonly number[], offeredAll: boolean): readonly number[] {
    const place = this.#rejoin(decoded);
    if (place === null) this.#since += 1;
    else {
      this.#at = place;
      this.#since = 0;
    }
    // The tokens since the last one in common are taken for another spelling of as many in the draft.
    const next = this.#at + this.#since;
    const count = place === null ? AHEAD_LOST : offeredAll ? AHEAD_IN_STEP : AHEAD_REJOINED;
    return this.#tokens.slice(next, next + count);
  }

  /** The place behind the draft's token that is the last one decoded; null when none is likely to be. */
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

  /** How many tokens up to this one are also the last of `decoded`. */
  #inCommon(decoded: readonly number[], index: number): number {
    let count = 0;
    while (count <= index && count < decoded.length && this.#tokens[index - count] === decoded.at(-1 - count))
      count += 1;
    return count;
  }
}
