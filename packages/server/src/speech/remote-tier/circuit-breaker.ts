// A circuit breaker: closed while a server works, open after failures, then one trial request at a time.

const COOL_MS = { first: 5_000, longest: 60_000 } as const;

export class CircuitBreaker {
  readonly #failuresMax: number;
  #failures = 0;
  #coolMs: number = COOL_MS.first;
  #openUntilMs: number | null = null;

  /** Opens after this many consecutive failures. */
  constructor(failuresMax: number) {
    this.#failuresMax = failuresMax;
  }

  /** closed: all requests pass. open: none. trying: one, to test the server. */
  state(nowMs: number): 'closed' | 'open' | 'trying' {
    if (this.#openUntilMs === null) return 'closed';
    return nowMs < this.#openUntilMs ? 'open' : 'trying';
  }

  succeeded(): void {
    this.#failures = 0;
    this.#coolMs = COOL_MS.first;
    this.#openUntilMs = null;
  }

  /** `isCertain`: a retry would fail too. Returns how long the circuit opens; 0 if this failure does not open it. */
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
