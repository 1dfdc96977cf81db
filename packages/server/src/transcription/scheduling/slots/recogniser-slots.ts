// The recogniser's slots: shared by all tiers, or per tier if the recogniser reports its capacity.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Recogniser, SpeechWindow, WaitingWindows } from '../../../speech/recogniser.ts';

export class RecogniserSlots {
  readonly #recogniser: Recogniser;
  readonly #running: () => number;
  readonly #waiting = new Map<ModelId, number>();

  constructor(recogniser: Recogniser, running: () => number) {
    this.#recogniser = recogniser;
    this.#running = running;
  }

  /** At least one, even without machines: estimates divide by it. */
  get count(): number {
    return Math.max(1, this.#recogniser.slots);
  }

  /** Whether no window can begin now. */
  get isFull(): boolean {
    const { capacity } = this.#recogniser;
    if (!capacity) return this.#running() >= this.#recogniser.slots;
    for (const tier of MODEL_IDS) if (capacity.freeSlots(tier) > 0) return false;
    return true;
  }

  mayBegin(tier: ModelId): boolean {
    const { capacity } = this.#recogniser;
    return capacity === undefined || capacity.freeSlots(tier) > 0;
  }

  serves(tier: ModelId): boolean {
    return this.#recogniser.capacity?.serves(tier) ?? true;
  }

  /** Whether a window of the tier could take the slot of a running one. */
  couldReplace(running: SpeechWindow, tier: ModelId): boolean {
    return this.#recogniser.capacity?.couldReplace(running, tier) ?? true;
  }

  /** Whether other servers wait for the same slots, so that speculative work may not use them. */
  get isContended(): boolean {
    return this.#recogniser.capacity?.isContended ?? false;
  }

  onChange(listener: () => void): void {
    this.#recogniser.capacity?.onChange(listener);
  }

  /** Counts a firm window of the tier that joined (1) or left (-1) the queue. */
  countWaiting(tier: ModelId, change: 1 | -1): void {
    this.#waiting.set(tier, this.firmWaiting(tier) + change);
  }

  /** How many firm windows wait for a tier that has recognisers. */
  get servedWaiting(): number {
    let served = 0;
    for (const [tier, count] of this.#waiting) if (count > 0 && this.serves(tier)) served += count;
    return served;
  }

  /** How many firm windows wait for the tier. */
  firmWaiting(tier: ModelId): number {
    return this.#waiting.get(tier) ?? 0;
  }

  reportWaiting(background: WaitingWindows): void {
    this.#recogniser.capacity?.setWaiting(this.#waiting, background);
  }
}
