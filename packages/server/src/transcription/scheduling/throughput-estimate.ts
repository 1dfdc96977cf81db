// Compute seconds per second of audio for each tier, as a moving average.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';

/** Cautious values until windows have been measured. */
const INITIAL_ESTIMATE: Record<ModelId, number> = { 'svc-1.0-lite': 0.1, 'svc-1.0-pro': 0.2, 'svc-1.0-max': 0.5 };
/** Weight of a new window of usual length in the average. */
const LEARNING_RATE = 0.15;
const USUAL_AUDIO_SECONDS = 10;

export class ThroughputEstimate {
  readonly #secondsPerAudioSecond = new Map<ModelId, number>(MODEL_IDS.map((tier) => [tier, INITIAL_ESTIMATE[tier]]));

  /** Short windows count less, since fixed costs dominate them. */
  learn(tier: ModelId, audioSeconds: number, workSeconds: number): void {
    if (audioSeconds <= 0) return;
    const before = this.secondsPerAudioSecond(tier);
    const share = LEARNING_RATE * Math.min(1, audioSeconds / USUAL_AUDIO_SECONDS);
    this.#secondsPerAudioSecond.set(tier, before + share * (workSeconds / audioSeconds - before));
  }

  secondsPerAudioSecond(tier: ModelId): number {
    return this.#secondsPerAudioSecond.get(tier) ?? INITIAL_ESTIMATE[tier];
  }
}
