// A token bucket for control messages: text, ping and pong.

/** A client that sends a keep-alive or a ping once a second stays far below both. */
const BURST = 120;
const PER_SECOND = 10;

export class ControlBudget {
  #left = BURST;
  #filledAtMs: number;

  constructor(atMs: number) {
    this.#filledAtMs = atMs;
  }

  /** False when the bucket is empty. */
  spend(atMs: number): boolean {
    this.#left = Math.min(BURST, this.#left + ((atMs - this.#filledAtMs) / 1000) * PER_SECOND);
    this.#filledAtMs = atMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
