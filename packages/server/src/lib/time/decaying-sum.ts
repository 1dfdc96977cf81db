// An exponentially decaying sum, which measures recent amounts.

export class DecayingSum {
  readonly #decayMs: number;
  #sum = 0;
  #atMs = 0;

  /** After `decayMs`, an amount has decayed to 1/e. */
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
