// Records when each of two channels is heard, which shows whether they hold different people or one recording twice.

/** Duration of a block; the activity holds one byte per block. */
export const CHANNEL_BLOCK_SECONDS = 0.02;
export const HEARD = {
  neither: 0,
  first: 1,
  second: 2,
  /** Both, and they sound different. */
  both: 3,
  /** Both, and they sound the same. */
  same: 4,
} as const;

/** A channel counts as alone when it is 6 dB louder than the other. */
const ALONE_RATIO = 4;
/** Blocks 40 dB below the loudest so far are silent. */
const SILENCE_RATIO = 1e-4;
const SAME_CORRELATION_MIN = 0.7;
/** Limit: five and a half hours. */
export const BLOCKS_MAX = 1_000_000;

/** Grows to `BLOCKS_MAX` blocks; later ones are dropped. */
export class ActivityLog {
  #heard = new Uint8Array(1_024);
  #blocks = 0;

  append(blocks: Uint8Array): void {
    const fitting = blocks.subarray(0, BLOCKS_MAX - this.#blocks);
    const needed = this.#blocks + fitting.length;
    if (needed > this.#heard.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#heard.length));
      larger.set(this.#heard);
      this.#heard = larger;
    }
    this.#heard.set(fitting, this.#blocks);
    this.#blocks = needed;
  }

  /** Returns the blocks added since the last call, in memory of their own. */
  take(): Uint8Array {
    const taken = this.#heard.slice(0, this.#blocks);
    this.#blocks = 0;
    return taken;
  }
}

export class ChannelActivity {
  readonly #log = new ActivityLog();
  readonly #block = new Uint8Array(1);
  #loudest = 0;

  /** Takes the mean energy of a block in each channel, and the mean product of the two channels. */
  add(first: number, second: number, product: number): void {
    this.#block[0] = this.#judge(first, second, product);
    this.#log.append(this.#block);
  }

  /** Returns the blocks added since the last call. */
  take(): Uint8Array {
    return this.#log.take();
  }

  #judge(first: number, second: number, product: number): number {
    const louder = Math.max(first, second);
    this.#loudest = Math.max(this.#loudest, louder);
    if (louder === 0 || louder < this.#loudest * SILENCE_RATIO) return HEARD.neither;
    if (first >= ALONE_RATIO * second) return HEARD.first;
    if (second >= ALONE_RATIO * first) return HEARD.second;
    return Math.abs(product) >= SAME_CORRELATION_MIN * Math.sqrt(first * second) ? HEARD.same : HEARD.both;
  }
}
