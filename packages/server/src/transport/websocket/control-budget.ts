// How many control messages (text, ping, pong) a peer may send: a bucket that refills with time.

/** A client that keeps alive or pings once a second is far below both. */
const BURST = 120;
const PER_SECOND = 10;

export class ControlBudget {
  #left = BURST;
  #filledAtMs: number;

  constructor(atMs: number) {
    this.#filledAtMs = atMs;
  }

  /** False when the peer floods. */
  spend(atMs: number): boolean {
    this.#left = Math.min(BURST, this.#left + ((atMs - this.#filledAtMs) / 1000) * PER_SECOND);
    this.#filledAtMs = atMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
