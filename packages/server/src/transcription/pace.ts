// How fast the recognisers are: seconds of work per second of audio, learnt for each tier from what they did.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';

/** A guess on the slow side for the first jobs after a start. */
const PACE_AT_START: Record<ModelId, number> = { 'svc-1.0-lite': 0.1, 'svc-1.0-pro': 0.2, 'svc-1.0-max': 0.5 };
/** The share of a new job in the average, for a job of one window's usual length. */
const LEARNING = 0.15;
const USUAL_AUDIO_SECONDS = 10;

export class Pace {
  readonly #secondsPerAudioSecond = new Map<ModelId, number>(MODEL_IDS.map((tier) => [tier, PACE_AT_START[tier]]));

  /** A short job says less about the pace, since its fixed part weighs more. */
  learn(tier: ModelId, audioSeconds: number, workSeconds: number): void {
    if (audioSeconds <= 0) return;
    const before = this.of(tier);
    const share = LEARNING * Math.min(1, audioSeconds / USUAL_AUDIO_SECONDS);
    this.#secondsPerAudioSecond.set(tier, before + share * (workSeconds / audioSeconds - before));
  }

  of(tier: ModelId): number {
    return this.#secondsPerAudioSecond.get(tier) ?? PACE_AT_START[tier];
  }
}
