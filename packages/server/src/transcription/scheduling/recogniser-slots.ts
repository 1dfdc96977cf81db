// What the scheduler knows of its recogniser's slots: alike for every tier, or as the recogniser's capacity says.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Recogniser } from '../../speech/recogniser.ts';

export class RecogniserSlots {
  readonly #recogniser: Recogniser;
  readonly #running: () => number;
  readonly #waiting = new Map<ModelId, number>();

  constructor(recogniser: Recogniser, running: () => number) {
    this.#recogniser = recogniser;
    this.#running = running;
  }

  /** At least one, even while every machine is gone: estimates divide by it. */
  get count(): number {
    return Math.max(1, this.#recogniser.slots);
  }

  /** Whether nothing at all can begin now, so that nothing has to be looked for. */
  get isFull(): boolean {
    const { capacity } = this.#recogniser;
    if (!capacity) return this.#running() >= this.#recogniser.slots;
    return MODEL_IDS.every((tier) => capacity.freeSlots(tier) === 0);
  }

  mayBegin(tier: ModelId): boolean {
    const { capacity } = this.#recogniser;
    return capacity === undefined || capacity.freeSlots(tier) > 0;
  }

  serves(tier: ModelId): boolean {
    return this.#recogniser.capacity?.serves(tier) ?? true;
  }

  /** Other servers wait for the same slots: then they are not for speculative work. */
  get isContended(): boolean {
    return this.#recogniser.capacity?.isContended ?? false;
  }

  onChange(listener: () => void): void {
    this.#recogniser.capacity?.onChange(listener);
  }

  /** Firm work of the tier came (1) or went (-1). */
  countWaiting(tier: ModelId, change: 1 | -1): void {
    this.#waiting.set(tier, (this.#waiting.get(tier) ?? 0) + change);
  }

  /** Firm work that a slot could take, if there were a free one. */
  get servedWaiting(): number {
    let served = 0;
    for (const [tier, count] of this.#waiting) if (this.serves(tier)) served += count;
    return served;
  }

  /** Whether firm work waits that nobody could take. */
  get hasStranded(): boolean {
    return [...this.#waiting].some(([tier, count]) => count > 0 && !this.serves(tier));
  }

  tellWaiting(): void {
    this.#recogniser.capacity?.setWaiting(this.#waiting);
  }
}
