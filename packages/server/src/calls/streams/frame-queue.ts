// Queue for frames of a live stream that wait for the decoder, bounded by back-pressure on the connection.
import { type Deferred, deferred } from '../../lib/time/deferred.ts';

/** Audio that may wait before reading is paused; about eight seconds at 16 kHz mono. */
const QUEUED_BYTES_MAX = 256 * 1024;
const QUEUED_FRAMES_MAX = 1024;

export class FrameQueue implements AsyncIterable<Uint8Array> {
  readonly #onLevel: (level: 'full' | 'room') => void;
  #frames: Buffer[] = [];
  #bytes = 0;
  #level: 'full' | 'room' = 'room';
  #state: 'open' | 'ended' = 'open';
  #changed: Deferred<void> = deferred();
  /** Whether the decoder is still working on a batch. */
  #isTaken = false;
  #empty: Deferred<void> | undefined;

  constructor(onLevel: (level: 'full' | 'room') => void) {
    this.#onLevel = onLevel;
  }

  push(frame: Buffer): void {
    if (this.#state === 'ended' || frame.length === 0) return;
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (this.#bytes > QUEUED_BYTES_MAX || this.#frames.length > QUEUED_FRAMES_MAX) {
      this.#level = 'full';
      this.#onLevel('full');
    }
    this.#changed.resolve();
  }

  /** Resolves when the decoder has taken everything that was pushed so far. */
  async taken(): Promise<void> {
    if (this.#frames.length === 0 && !this.#isTaken) return;
    this.#empty ??= deferred();
    await this.#empty.promise;
  }

  /** Accepts no more frames. Queued ones are still read. */
  end(): void {
    this.#state = 'ended';
    this.#changed.resolve();
  }

  /** Drops the queued frames. */
  close(): void {
    this.#frames = [];
    this.#bytes = 0;
    this.end();
    this.#resolveEmpty();
  }

  /** Joins frames that arrived while the decoder was busy: a flood of tiny ones costs no more than a large one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#frames.length === 0) {
        this.#resolveEmpty();
        if (this.#state === 'ended') return;
        this.#changed = deferred();
        await this.#changed.promise;
        continue;
      }
      const batch = this.#frames.length === 1 ? this.#frames[0]! : Buffer.concat(this.#frames);
      this.#frames = [];
      this.#bytes = 0;
      this.#isTaken = true;
      yield batch;
      this.#isTaken = false;
      if (this.#level === 'full') {
        this.#level = 'room';
        if (this.#state === 'open') this.#onLevel('room');
      }
    }
  }

  #resolveEmpty(): void {
    this.#empty?.resolve();
    this.#empty = undefined;
  }
}
