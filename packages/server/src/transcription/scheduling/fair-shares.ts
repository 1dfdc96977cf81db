// When each account has had its share: on a crowded server, work that was done for it puts its next turn off.

/** Time that an account did not use counts for it this long; whole seconds of waiting make everybody a little late. */
const CREDIT_MS = 3_000;
/** Work is held against an account for so long at most. */
const DEBT_MS_MAX = 120_000;

export class FairShares {
  /** Until when the work done for an account would have taken, had it been done at the account's share. */
  readonly #paidUntilMs = new Map<string, number>();

  /** Work was done for the account, of which it may have `rate` seconds per second. */
  charge(accountId: string, workSeconds: number, rate: number, nowMs: number): void {
    this.#forget(nowMs);
    const fromMs = Math.max(this.#paidUntilMs.get(accountId) ?? nowMs, nowMs - CREDIT_MS);
    this.#paidUntilMs.set(accountId, Math.min(fromMs + (1000 * workSeconds) / rate, nowMs + DEBT_MS_MAX));
  }

  /** From when on the account may have more; it may lie in the past. */
  dueMs(accountId: string, nowMs: number): number {
    return Math.max(this.#paidUntilMs.get(accountId) ?? nowMs, nowMs - CREDIT_MS);
  }

  #forget(nowMs: number): void {
    for (const [accountId, untilMs] of this.#paidUntilMs)
      if (untilMs < nowMs - CREDIT_MS) this.#paidUntilMs.delete(accountId);
  }
}
