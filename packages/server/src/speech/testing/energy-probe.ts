// A voice probe by loudness: any sound counts as speech.
import { VOICE_FRAME_SAMPLES, type VoiceProbe } from '../recogniser.ts';
import { loudness } from './tones.ts';

const probabilityOf = (frame: Float32Array): number => Math.min(0.98, loudness(frame) / 0.1);

export class EnergyProbe implements VoiceProbe {
  readonly #onClose: () => void;
  readonly #frame = new Float32Array(VOICE_FRAME_SAMPLES);
  #filled = 0;
  #state: 'open' | 'closed' = 'open';

  constructor(onClose: () => void = () => undefined) {
    this.#onClose = onClose;
  }

  async push(samples: Float32Array): Promise<Float32Array> {
    if (this.#state === 'closed') throw new Error('the probe is closed');
    const probabilities: number[] = [];
    for (let taken = 0; taken < samples.length; ) {
      const count = Math.min(VOICE_FRAME_SAMPLES - this.#filled, samples.length - taken);
      this.#frame.set(samples.subarray(taken, taken + count), this.#filled);
      this.#filled += count;
      taken += count;
      if (this.#filled < VOICE_FRAME_SAMPLES) break;
      probabilities.push(probabilityOf(this.#frame));
      this.#filled = 0;
    }
    return Float32Array.from(probabilities);
  }

  async flush(): Promise<Float32Array> {
    if (this.#filled === 0) return new Float32Array(0);
    this.#frame.fill(0, this.#filled);
    this.#filled = 0;
    return Float32Array.of(probabilityOf(this.#frame));
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#onClose();
  }
}
