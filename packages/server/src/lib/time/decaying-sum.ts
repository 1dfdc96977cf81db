// A sum whose parts fade: how much there was of something lately.

export class DecayingSum {
  readonly #decayMs: number;
  #sum = 0;
  #atMs = 0;

  /** After `decayMs` a part counts for little more than a third. */
  constructor(decayMs: number) {
    this.#decayMs = decayMs;
  }

  add(amount: number, nowMs: number): void {
    this.#sum = this.at(nowMs) + amount;
    this.#atMs = nowMs;
  }

  at(nowMs: number): number {
    return this.#sum * Math.exp(-(nowMs - this.#atMs) / this.#decayMs);
  }
}
