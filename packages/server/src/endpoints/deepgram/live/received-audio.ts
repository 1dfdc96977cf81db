// The audio bytes received on a live connection: their number, their length in seconds and their hash.
import { createHash } from 'node:crypto';
import type { LiveAudio } from '../../../audio/upload-decoding.ts';

export class ReceivedAudio {
  readonly #audio: LiveAudio;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(audio: LiveAudio) {
    this.#audio = audio;
  }

  add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
  }

  /** Length in seconds with this many more bytes; null for a container, whose length only the decoder knows. */
  secondsWith(moreBytes: number): number | null {
    const audio = this.#audio;
    if (audio.kind === 'container') return null;
    return Math.floor((this.#bytes + moreBytes) / (audio.format.bytes * audio.channels)) / audio.sampleRateHz;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}
