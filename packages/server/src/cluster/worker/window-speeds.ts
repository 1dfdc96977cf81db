// Recent speed of this worker's slots: seconds of audio recognised per second, by tier.
import type { ModelId } from '@faircopy/contract';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';

/** Share of the older windows' weight that remains after each window: about ten windows count. */
const KEPT = 0.9;

export class WindowSpeeds {
  #byTier: Readonly<Partial<Record<ModelId, number>>> = {};
  readonly #sums = new Map<ModelId, { audioMs: number; tookMs: number }>();

  add(tier: ModelId, samples: number, tookMs: number): void {
    if (samples === 0) return;
    const sums = this.#sums.get(tier) ?? { audioMs: 0, tookMs: 0 };
    this.#sums.set(tier, sums);
    // Sums, because in a mean of ratios, short windows would count as much as long ones.
    sums.audioMs = KEPT * sums.audioMs + (1000 * samples) / SAMPLE_RATE_HZ;
    sums.tookMs = KEPT * sums.tookMs + Math.max(1, tookMs);
    this.#byTier = { ...this.#byTier, [tier]: Number((sums.audioMs / sums.tookMs).toPrecision(3)) };
  }

  /** Rounded, since it is in every heartbeat. Tiers without a window yet are absent. */
  get byTier(): Readonly<Partial<Record<ModelId, number>>> {
    return this.#byTier;
  }
}
