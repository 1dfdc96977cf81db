// Stops background work, then speculative work, to free slots for waiting firm work. The stopped work resumes later.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Timer, Timers } from '../../../lib/time/timers.ts';
import type { QueuedTask } from '../queued-task.ts';
import type { RecogniserSlots } from './recogniser-slots.ts';

/** Work that yields, first to last. */
const YIELDING = ['background', 'speculative'] as const;
/** A worker needs this long to stop a window and lend the slot again; at the gateway, the window ends at once. */
const FREEING_MS_MAX = 2_000;

/** The slot of a stopped window, kept for a firm one. */
interface KeptSlot {
  /** The tier of the firm window. */
  readonly tier: ModelId;
  /** Runs when the stopped window has ended. */
  timer: Timer | undefined;
}

export class MakingRoom {
  readonly #slots: RecogniserSlots;
  readonly #timers: Timers;
  readonly #onGivenUp: () => void;
  readonly #kept = new Map<QueuedTask, KeptSlot>();

  constructor(slots: RecogniserSlots, timers: Timers, onGivenUp: () => void) {
    this.#slots = slots;
    this.#timers = timers;
    this.#onGivenUp = onGivenUp;
  }

  /** Stops one running window for each firm window that could use its slot and has none coming yet. */
  stopFor(running: Iterable<QueuedTask>): void {
    // Cancelled windows that are still being stopped: the slot of each is for one firm window, whatever its tier.
    const ending = new Set<QueuedTask>();
    for (const entry of running) if (entry.state === 'over' && !this.#kept.has(entry)) ending.add(entry);
    for (const tier of MODEL_IDS) {
      const waiting = this.#slots.firmWaiting(tier);
      if (waiting === 0 || !this.#slots.serves(tier)) continue;
      let left = waiting - this.#keptFor(tier);
      for (const entry of ending) {
        if (left <= 0) break;
        if (!this.#couldReplace(entry, tier)) continue;
        ending.delete(entry);
        left -= 1;
      }
      this.#stop(running, tier, left);
    }
  }

  #couldReplace({ running }: QueuedTask, tier: ModelId): boolean {
    return running !== undefined && this.#slots.couldReplace(running, tier);
  }

  #stop(running: Iterable<QueuedTask>, tier: ModelId, count: number): void {
    let left = count;
    for (const urgency of YIELDING)
      for (const entry of running) {
        if (left <= 0) return;
        if (entry.urgency !== urgency || entry.state !== 'running') continue;
        if (!this.#couldReplace(entry, tier)) continue;
        entry.state = 'yielding';
        this.#kept.get(entry)?.timer?.stop();
        this.#kept.set(entry, { tier, timer: undefined });
        entry.stop?.abort();
        left -= 1;
      }
  }

  /** Whether its slot is kept for a firm window, so that it may not take it back. */
  isHeldBack(entry: QueuedTask): boolean {
    return this.#kept.has(entry);
  }

  ended(entry: QueuedTask): void {
    const kept = this.#kept.get(entry);
    if (!kept || kept.timer) return;
    kept.timer = this.#timers
      .after(FREEING_MS_MAX, () => {
        this.#kept.delete(entry);
        this.#onGivenUp();
      })
      .unref();
  }

  /** A firm window begins, in a kept slot if there is one. */
  begun({ tier }: QueuedTask): void {
    this.#drop(tier, 1);
  }

  /** Gives back slots kept for firm windows that no longer wait. */
  update(): void {
    if (this.#kept.size === 0) return;
    for (const tier of MODEL_IDS) this.#drop(tier, this.#keptFor(tier) - this.#slots.firmWaiting(tier));
  }

  #keptFor(tier: ModelId): number {
    let count = 0;
    for (const kept of this.#kept.values()) if (kept.tier === tier) count += 1;
    return count;
  }

  /** Only of windows that have ended: the slots of others are still to come. */
  #drop(tier: ModelId, count: number): void {
    let left = count;
    for (const [entry, kept] of this.#kept) {
      if (left <= 0) return;
      if (kept.tier !== tier || !kept.timer) continue;
      kept.timer.stop();
      this.#kept.delete(entry);
      left -= 1;
    }
  }
}
