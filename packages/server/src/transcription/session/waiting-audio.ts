// Audio that waits in memory for voice activity detection or a recogniser, by account and in all.

/** Limit for all sessions; past it, each holds its writer back sooner. Half an hour is 115 MB. */
const PROCESS_SECONDS_MAX = 1_800;
/** A session may always hold one window, so that it makes progress. */
const SESSION_SECONDS_MIN = 20;

export class WaitingAudio {
  readonly #byAccount = new Map<string, number>();
  #total = 0;

  /** Adds the change of what a session holds, in seconds. */
  change(accountId: string, seconds: number): void {
    const waiting = (this.#byAccount.get(accountId) ?? 0) + seconds;
    if (waiting > 1e-3) this.#byAccount.set(accountId, waiting);
    else this.#byAccount.delete(accountId);
    this.#total = this.#byAccount.size === 0 ? 0 : this.#total + seconds;
  }

  /** Whether a session that holds `sessionSeconds` may take more. */
  mayGrow(accountId: string, sessionSeconds: number, accountSecondsMax: number): boolean {
    if (sessionSeconds <= SESSION_SECONDS_MIN) return true;
    return (this.#byAccount.get(accountId) ?? 0) <= accountSecondsMax && this.#total <= PROCESS_SECONDS_MAX;
  }
}
