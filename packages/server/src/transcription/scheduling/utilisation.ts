// The share of the slots that firm work used recently. Limits speculative work and separates bursts from crowds.

/** Time constant of the average. */
const FADE_MS = 5_000;

export class Utilisation {
  #share = 0;
  #busy = 0;
  #atMs: number | undefined;

  /** Sets the busy share from now on. */
  set(busy: number, nowMs: number): void {
    this.#fade(nowMs);
    this.#busy = busy;
  }

  /** The recent busy share; the last seconds count most. */
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
