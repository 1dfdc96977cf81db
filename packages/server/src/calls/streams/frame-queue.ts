// Queue for frames of a live stream that wait for the decoder, bounded by back-pressure on the connection.
import { type Deferred, deferred } from '../../lib/time/deferred.ts';

/** Audio that may wait before reading is paused; about eight seconds at 16 kHz mono. */
const QUEUED_BYTES_MAX = 256 * 1024;
const QUEUED_ENTRIES_MAX = 1024;

/** A place between frames. */
interface Mark {
  readonly reached: Deferred<void>;
  /** Later frames wait for it. It never rejects. */
  readonly passed: Promise<void>;
}

const isFrame = (entry: Buffer | Mark): entry is Buffer => Buffer.isBuffer(entry);

export class FrameQueue implements AsyncIterable<Uint8Array> {
  readonly #onLevel: (level: 'full' | 'room') => void;
  #entries: (Buffer | Mark)[] = [];
  #bytes = 0;
  #level: 'full' | 'room' = 'room';
  /** `over`: nothing is read any more. */
  #state: 'open' | 'ended' | 'over' = 'open';
  #changed: Deferred<void> = deferred();

  constructor(onLevel: (level: 'full' | 'room') => void) {
    this.#onLevel = onLevel;
  }

  push(frame: Buffer): void {
    if (this.#state !== 'open' || frame.length === 0) return;
    this.#bytes += frame.length;
    this.#add(frame);
  }

  /**
   * Resolves when the decoder has taken every frame pushed so far, or when the queue is closed. Later frames wait until
   * `passed` resolves.
   */
  async mark(passed: Promise<void>): Promise<void> {
    if (this.#state === 'over') return;
    const reached = deferred<void>();
    this.#add({ reached, passed });
    await reached.promise;
  }

  /** Accepts no more frames. Queued ones are still read. */
  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#changed.resolve();
  }

  /** Drops the queued frames. */
  close(): void {
    this.#entries = this.#entries.filter((entry) => !isFrame(entry));
    this.#bytes = 0;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const [next] = this.#entries;
        if (next === undefined) {
          if (this.#state === 'ended') return;
          this.#changed = deferred();
          await this.#changed.promise;
        } else if (isFrame(next)) {
          yield this.#takeFrames();
        } else {
          this.#entries.shift();
          next.reached.resolve();
          await next.passed;
        }
        if (this.#level === 'full' && !this.#isFull) {
          this.#level = 'room';
          if (this.#state === 'open') this.#onLevel('room');
        }
      }
    } finally {
      this.#state = 'over';
      for (const entry of this.#entries.splice(0)) if (!isFrame(entry)) entry.reached.resolve();
    }
  }

  get #isFull(): boolean {
    return this.#bytes > QUEUED_BYTES_MAX || this.#entries.length > QUEUED_ENTRIES_MAX;
  }

  #add(entry: Buffer | Mark): void {
    this.#entries.push(entry);
    if (this.#isFull) {
      this.#level = 'full';
      this.#onLevel('full');
    }
    this.#changed.resolve();
  }

  /** Joins the frames before the next mark: a flood of tiny ones costs no more than a large one. */
  #takeFrames(): Buffer {
    const markAt = this.#entries.findIndex((entry) => !isFrame(entry));
    const frames = this.#entries.splice(0, markAt === -1 ? this.#entries.length : markAt).filter(isFrame);
    const batch = frames.length === 1 ? frames[0]! : Buffer.concat(frames);
    this.#bytes -= batch.length;
    return batch;
  }
}
