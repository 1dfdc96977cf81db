// Tracks when each account has used its share: on a crowded server, past work delays its next request.

/** Past work counts against an account for at most this long. */
const DEBT_MS_MAX = 120_000;

export class FairShares {
  /** Unused time counts in favour of an account for this long. */
  readonly #creditMs: number;
  /** When the work done for each account would have ended at its share. */
  readonly #paidUntilMs = new Map<string, number>();

  constructor(creditMs: number) {
    this.#creditMs = creditMs;
  }

  /** Charges work to an account that may use `rate` seconds per second. */
  charge(accountId: string, workSeconds: number, rate: number, nowMs: number): void {
    this.#forget(nowMs);
    const fromMs = Math.max(this.#paidUntilMs.get(accountId) ?? nowMs, nowMs - this.#creditMs);
    this.#paidUntilMs.set(accountId, Math.min(fromMs + (1000 * workSeconds) / rate, nowMs + DEBT_MS_MAX));
  }

  /** When the account is within its share again; may be in the past. */
  dueMs(accountId: string, nowMs: number): number {
    return Math.max(this.#paidUntilMs.get(accountId) ?? nowMs, nowMs - this.#creditMs);
  }

  #forget(nowMs: number): void {
    for (const [accountId, untilMs] of this.#paidUntilMs)
      if (untilMs < nowMs - this.#creditMs) this.#paidUntilMs.delete(accountId);
  }
}
