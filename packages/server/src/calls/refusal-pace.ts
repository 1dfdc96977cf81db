// Delays refusals in a flood: accounts that keep retrying are answered ever later, so that others are not slowed down.
import { DecayingSum } from '../lib/time/decaying-sum.ts';
import { pause } from '../lib/time/pause.ts';

/** How far back refusals count. */
const RECENT_MS = 10_000;
/** Refusals are delayed only above both counts: FLOOD for all accounts together, HASTE for the account itself. */
const FLOOD = 600;
const HASTE = 20;
/** Each refusal beyond the flood limit adds this delay. */
const STEP_MS = 5;
const DELAY_MS_MAX = 10_000;
/** Refusals that may be delayed at the same time, since each holds its connection. */
const WAITING_MAX = 4_000;

export class RefusalPace {
  readonly #recent = new DecayingSum(RECENT_MS);
  readonly #recentByAccount = new Map<string, DecayingSum>();
  readonly #onFlood: (isFlood: boolean) => void;
  /** One controller each: removing a listener from a shared signal takes linear time. */
  readonly #waiting = new Set<AbortController>();
  #state: 'open' | 'closed' = 'open';

  /** `onFlood` is called when the first refusal is delayed, and when none is delayed any more. */
  constructor(onFlood: (isFlood: boolean) => void = () => undefined) {
    this.#onFlood = onFlood;
  }

  /** Counts a refusal; resolves when its answer may be sent, or when the caller disconnects. */
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

  /** The server is stopping: releases all answers. */
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

  /** Least recently refused accounts first. */
  #forget(nowMs: number): void {
    for (const [accountId, recent] of this.#recentByAccount) {
      if (recent.at(nowMs) >= 0.1) break;
      this.#recentByAccount.delete(accountId);
    }
  }
}
