// Keeps work away from a server that fails: closed while it works, open after failures, then one try at a time.

const COOL_MS = { first: 5_000, longest: 60_000 } as const;

export class CircuitBreaker {
  readonly #failuresMax: number;
  #failures = 0;
  #coolMs: number = COOL_MS.first;
  #openUntilMs: number | null = null;

  /** Opens after so many failures in a row. */
  constructor(failuresMax: number) {
    this.#failuresMax = failuresMax;
  }

  /** closed: all may go. open: nothing. trying: one, to see whether it works again. */
  state(nowMs: number): 'closed' | 'open' | 'trying' {
    if (this.#openUntilMs === null) return 'closed';
    return nowMs < this.#openUntilMs ? 'open' : 'trying';
  }

  succeeded(): void {
    this.#failures = 0;
    this.#coolMs = COOL_MS.first;
    this.#openUntilMs = null;
  }

  /** `isCertain`: the next try would fail too. Returns for how long it is open; 0 when it is not. */
  failed(nowMs: number, isCertain: boolean): number {
    this.#failures += 1;
    const wasOpen = this.#openUntilMs !== null;
    if (this.#failures < this.#failuresMax && !isCertain && !wasOpen) return 0;
    if (wasOpen && nowMs < this.#openUntilMs!) return 0;
    const coolMs = this.#coolMs;
    this.#openUntilMs = nowMs + coolMs;
    this.#coolMs = Math.min(2 * coolMs, COOL_MS.longest);
    return coolMs;
  }
}
