// Counts the audio that waits in memory for voice activity detection or a recogniser, per account and in total.

/** Limit for all sessions; beyond it, each applies back-pressure sooner. Half an hour takes 115 MB. */
const PROCESS_SECONDS_MAX = 1_800;
/** A session may always hold one window, so that it makes progress. */
const SESSION_SECONDS_MIN = 20;

export class WaitingAudio {
  readonly #byAccount = new Map<string, number>();
  #total = 0;

  /** Adds a change in the seconds that a session holds. */
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
