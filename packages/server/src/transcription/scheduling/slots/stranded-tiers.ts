// Gives up windows whose tier has had no recogniser for too long. Each tier has its own time.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import { Countdown } from '../../../lib/time/countdown.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { QueuedWork } from '../queued-work.ts';
import type { RecogniserSlots } from './recogniser-slots.ts';

/** Windows of a tier without recognisers wait this long for one to return … */
const STRANDED_MS = 8_000;
/** … and background ones this long. */
const STRANDED_BACKGROUND_MS = 30 * 60_000;

export class StrandedTiers {
  readonly #slots: RecogniserSlots;
  readonly #queued: QueuedWork;
  readonly #countdowns: readonly {
    readonly tier: ModelId;
    readonly urgent: Countdown;
    readonly background: Countdown;
  }[];

  constructor(options: {
    readonly timers: Timers;
    readonly slots: RecogniserSlots;
    readonly queued: QueuedWork;
    readonly giveUp: (tier: ModelId, isBackground: boolean) => void;
  }) {
    const { timers, slots, queued, giveUp } = options;
    this.#slots = slots;
    this.#queued = queued;
    this.#countdowns = MODEL_IDS.map((tier) => ({
      tier,
      urgent: new Countdown(timers, STRANDED_MS, () => giveUp(tier, false)),
      background: new Countdown(timers, STRANDED_BACKGROUND_MS, () => giveUp(tier, true)),
    }));
  }

  /** To be called whenever the queues or the recognisers may have changed. */
  update(): void {
    for (const { tier, urgent, background } of this.#countdowns) {
      urgent.update(this.#slots.firmWaiting(tier) > 0 && !this.#slots.serves(tier));
      background.update(this.#queued.backgroundWindows(tier) > 0 && !this.#slots.serves(tier));
    }
  }
}
