// The share of the slots that firm work has used lately; what is left may go to speculative work.

/** The past fades with this time constant. */
const FADE_MS = 5_000;

export class Utilisation {
  #share = 0;
  #busy = 0;
  #atMs: number | undefined;

  /** From now on this share of the slots is busy. */
  set(busy: number, nowMs: number): void {
    this.#fade(nowMs);
    this.#busy = busy;
  }

  /** The share of the slots that was busy, the last seconds counting most. */
  of(nowMs: number): number {
    this.#fade(nowMs);
    return this.#share;
  }

  #fade(nowMs: number): void {
    const kept = Math.exp(-(nowMs - (this.#atMs ?? nowMs)) / FADE_MS);
    this.#share = this.#busy + (this.#share - this.#busy) * kept;
    this.#atMs = nowMs;
  }
}
