// Estimates how much audio a request brings, from earlier requests.
import type { ModelId } from '@faircopy/contract';

type Mode = 'file' | 'stream';

/** Used until requests have been seen. */
const INITIAL_SECONDS = 10;
const LEARNING_RATE = 0.05;

export class AudioLengthEstimate {
  readonly #seconds = new Map<string, number>();

  learn(mode: Mode, model: ModelId, audioSeconds: number): void {
    const before = this.seconds(mode, model);
    this.#seconds.set(`${mode} ${model}`, before + LEARNING_RATE * (audioSeconds - before));
  }

  seconds(mode: Mode, model: ModelId): number {
    return this.#seconds.get(`${mode} ${model}`) ?? INITIAL_SECONDS;
  }
}
