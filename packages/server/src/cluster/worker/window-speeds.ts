// How fast this worker's slots are: seconds of audio recognised per second, by tier, of the last windows.
import type { ModelId } from '@faircopy/contract';
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';

/** What a window leaves of the weight of those before it: about ten windows count. */
const KEPT = 0.9;

export class WindowSpeeds {
  #byTier: Readonly<Partial<Record<ModelId, number>>> | undefined;
  readonly #sums = new Map<ModelId, { audioMs: number; tookMs: number }>();

  add(tier: ModelId, samples: number, tookMs: number): void {
    if (samples === 0) return;
    const { audioMs, tookMs: before } = this.#sums.get(tier) ?? { audioMs: 0, tookMs: 0 };
    this.#byTier = undefined;
    // Sums, not a mean of ratios: short windows would count as much as long ones.
    this.#sums.set(tier, {
      audioMs: KEPT * audioMs + (1000 * samples) / SAMPLE_RATE_HZ,
      tookMs: KEPT * before + Math.max(1, tookMs),
    });
  }

  /** Rounded, since it is in every heartbeat. Tiers without a window yet are absent. */
  get byTier(): Readonly<Partial<Record<ModelId, number>>> {
    const speedOf = ({ audioMs, tookMs }: { audioMs: number; tookMs: number }) =>
      Number((audioMs / tookMs).toPrecision(3));
    this.#byTier ??= Object.fromEntries([...this.#sums].map(([tier, sums]) => [tier, speedOf(sums)]));
    return this.#byTier;
  }
}
