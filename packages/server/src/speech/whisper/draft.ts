// A text that another model heard, offered to Whisper as a draft: several tokens are read in one go, and those that
// Whisper would have said itself need no step of their own.

/** Tokens offered at a time: reading so many costs little more than reading one; after a difference fewer are risked. */
const AHEAD_MAX = 16;
const AHEAD_AFTER_DIFFERENCE = 6;
/** How far back and ahead in the draft the place is looked for where the reading joins it again. */
const REJOIN_BACK = 2;
const REJOIN_AHEAD = 6;

export class Draft {
  readonly #tokens: readonly number[];
  #at = 0;

  constructor(tokens: readonly number[]) {
    this.#tokens = tokens;
  }

  /** What is offered at the start. */
  first(): readonly number[] {
    return this.#tokens.slice(0, AHEAD_MAX);
  }

  /** Whisper said what was offered. */
  accept(): void {
    this.#at += 1;
  }

  /** What is offered behind a token that Whisper said by itself, in place of the one offered or after the last of them. */
  after(token: number, offeredAll: boolean): readonly number[] {
    const from = this.#tokens.indexOf(token, Math.max(0, this.#at - REJOIN_BACK));
    const rejoins = from >= 0 && from <= this.#at + REJOIN_AHEAD;
    // A token that stands nowhere near is taken for another spelling of the one in its place.
    this.#at = rejoins ? from + 1 : this.#at + 1;
    return this.#tokens.slice(this.#at, this.#at + (offeredAll ? AHEAD_MAX : AHEAD_AFTER_DIFFERENCE));
  }
}
