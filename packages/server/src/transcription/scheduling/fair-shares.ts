// Tracks when each account has used its share: on a crowded server, past work delays its next request.

/** Past work counts against an account for at most this long. */
const DEBT_MS_MAX = 120_000;

export class FairShares {
  /** Unused time counts in favour of an account for this long. */
  readonly #creditMs: number;
  /** When the work done for each account would have ended at the account's fair rate. */
  readonly #paidUntilMs = new Map<string, number>();
  /** When work was last charged; unused time that was too old by then is forgotten. */
  #chargedMs = Number.NEGATIVE_INFINITY;
  #droppedMs = Number.NEGATIVE_INFINITY;

  constructor(creditMs: number) {
    this.#creditMs = creditMs;
  }

  /** Charges work to an account that may use `rate` compute seconds per second. */
  charge(accountId: string, workSeconds: number, rate: number, nowMs: number): void {
    this.#chargedMs = nowMs;
    this.#dropForgotten();
    const fromMs = this.dueMs(accountId, nowMs);
    this.#paidUntilMs.set(accountId, Math.min(fromMs + (1000 * workSeconds) / rate, nowMs + DEBT_MS_MAX));
  }

  /** When the account is within its share again; may be in the past. */
  dueMs(accountId: string, nowMs: number): number {
    const untilMs = this.#paidUntilMs.get(accountId);
    if (untilMs === undefined || this.#isForgotten(untilMs)) return nowMs;
    return Math.max(untilMs, nowMs - this.#creditMs);
  }

  #isForgotten(untilMs: number): boolean {
    return untilMs < this.#chargedMs - this.#creditMs;
  }

  /** Runs only now and then, since there may be many accounts and every window is charged. */
  #dropForgotten(): void {
    if (this.#chargedMs - this.#droppedMs < this.#creditMs) return;
    this.#droppedMs = this.#chargedMs;
    for (const [accountId, untilMs] of this.#paidUntilMs)
      if (this.#isForgotten(untilMs)) this.#paidUntilMs.delete(accountId);
  }
}
