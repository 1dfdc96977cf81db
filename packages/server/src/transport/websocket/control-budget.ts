// A token bucket for control messages: text, ping and pong. A large message costs more than a small one.

/** A client that sends a keep-alive or a ping once a second stays far below both. */
const BURST = 120;
const PER_SECOND = 10;
const BYTES_PER_TOKEN = 16 * 1024;

export class ControlBudget {
  #tokens = BURST;
  #filledAtMs: number;

  constructor(atMs: number) {
    this.#filledAtMs = atMs;
  }

  /** False when the bucket has too few tokens. */
  spend(bytes: number, atMs: number): boolean {
    const cost = Math.max(1, bytes / BYTES_PER_TOKEN);
    this.#tokens = Math.min(BURST, this.#tokens + ((atMs - this.#filledAtMs) / 1000) * PER_SECOND);
    this.#filledAtMs = atMs;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }
}
