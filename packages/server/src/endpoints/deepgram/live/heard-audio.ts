// What has come in over a live connection: how long it is, and the hash of its bytes.
import { createHash } from 'node:crypto';
import type { LiveAudio } from '../../../audio/upload-decoding.ts';

export class HeardAudio {
  readonly #audio: LiveAudio;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  /** Of a container only the decoder knows. */
  decodedSeconds: () => number = () => 0;

  constructor(audio: LiveAudio) {
    this.#audio = audio;
  }

  add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
  }

  get seconds(): number {
    const audio = this.#audio;
    if (audio.kind === 'container') return this.decodedSeconds();
    return Math.floor(this.#bytes / (audio.format.bytes * audio.channels)) / audio.sampleRateHz;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}
