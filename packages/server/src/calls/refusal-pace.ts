// In a flood of requests that are refused, callers who take no notice are answered later and later: their haste costs
// the others little then.
import { DecayingSum } from '../lib/time/decaying-sum.ts';
import { pause } from '../lib/time/pause.ts';

/** How far back refusals count. */
const RECENT_MS = 10_000;
/** So many of all accounts are no flood, and so many of one account are no haste. */
const FLOOD = 600;
const HASTE = 20;
/** Each refusal of a flood makes the next one of an account in haste wait longer by this. */
const STEP_MS = 5;
const DELAY_MS_MAX = 10_000;
/** More are not kept waiting, since each holds its connection. */
const WAITING_MAX = 4_000;

export class RefusalPace {
  readonly #recent = new DecayingSum(RECENT_MS);
  readonly #recentByAccount = new Map<string, DecayingSum>();
  readonly #onFlood: (isFlood: boolean) => void;
  /** Each that waits has one of its own: a signal that all share would be searched through with each that comes. */
  readonly #waiting = new Set<AbortController>();
  #state: 'open' | 'closed' = 'open';

  /** `onFlood` is told when refusals begin to wait, and when none does any more. */
  constructor(onFlood: (isFlood: boolean) => void = () => undefined) {
    this.#onFlood = onFlood;
  }

  /** Counts a refusal of the account; resolves when its answer may leave, at once when the caller does. */
  async wait(accountId: string, nowMs: number, left: AbortSignal): Promise<void> {
    const delayMs = this.#count(accountId, nowMs);
    if (delayMs === 0 || this.#state === 'closed' || this.#waiting.size >= WAITING_MAX) return;
    if (this.#waiting.size === 0) this.#onFlood(true);
    const closing = new AbortController();
    this.#waiting.add(closing);
    await pause(delayMs, left, closing.signal);
    this.#waiting.delete(closing);
    if (this.#waiting.size === 0) this.#onFlood(false);
  }

  /** The service stops: no answer waits any more. */
  close(): void {
    this.#state = 'closed';
    for (const closing of this.#waiting) closing.abort();
  }

  #count(accountId: string, nowMs: number): number {
    const own = this.#recentByAccount.get(accountId) ?? new DecayingSum(RECENT_MS);
    own.add(1, nowMs);
    this.#recent.add(1, nowMs);
    this.#recentByAccount.delete(accountId);
    this.#recentByAccount.set(accountId, own);
    this.#forget(nowMs);
    if (own.at(nowMs) <= HASTE) return 0;
    return Math.min(DELAY_MS_MAX, Math.max(0, STEP_MS * (this.#recent.at(nowMs) - FLOOD)));
  }

  /** The oldest stand first: whoever is refused again moves to the end. */
  #forget(nowMs: number): void {
    for (const [accountId, recent] of this.#recentByAccount) {
      if (recent.at(nowMs) >= 0.1) break;
      this.#recentByAccount.delete(accountId);
    }
  }
}
