// Estimates how much audio a request will bring, and how much compute a second of it takes, from earlier requests.
import type { ModelId } from '@faircopy/contract';

type Mode = 'file' | 'stream';

/** Used until requests have been seen. */
const INITIAL_SECONDS = 10;
const LENGTH_LEARNING_RATE = 0.05;

export class AudioLengthEstimate {
  readonly #seconds = new Map<string, number>();

  learn(mode: Mode, model: ModelId, audioSeconds: number): void {
    const before = this.seconds(mode, model);
    this.#seconds.set(`${mode} ${model}`, before + LENGTH_LEARNING_RATE * (audioSeconds - before));
  }

  seconds(mode: Mode, model: ModelId): number {
    return this.#seconds.get(`${mode} ${model}`) ?? INITIAL_SECONDS;
  }
}

/** Cautious values until windows have been measured. */
const INITIAL_ESTIMATE: Record<ModelId, number> = { 'svc-1.0-lite': 0.1, 'svc-1.0-pro': 0.2, 'svc-1.0-max': 0.5 };
/** Weight of a new window of usual length in the average. */
const THROUGHPUT_LEARNING_RATE = 0.15;
const USUAL_AUDIO_SECONDS = 10;

/** Compute seconds per second of audio for each tier, as a moving average. */
export class ThroughputEstimate {
  readonly #secondsPerAudioSecond = new Map<ModelId, number>();

  /** Short windows count less, since fixed costs dominate them. */
  learn(tier: ModelId, audioSeconds: number, workSeconds: number): void {
    if (audioSeconds <= 0) return;
    const before = this.secondsPerAudioSecond(tier);
    const share = THROUGHPUT_LEARNING_RATE * Math.min(1, audioSeconds / USUAL_AUDIO_SECONDS);
    this.#secondsPerAudioSecond.set(tier, before + share * (workSeconds / audioSeconds - before));
  }

  secondsPerAudioSecond(tier: ModelId): number {
    return this.#secondsPerAudioSecond.get(tier) ?? INITIAL_ESTIMATE[tier];
  }
}
