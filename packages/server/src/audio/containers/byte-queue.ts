// Bytes that have arrived and not been read: lets a parser be written as if the whole file were there.

/** What a parser yields when it cannot go on before more bytes arrive. */
export const NEEDS_BYTES = Symbol('needs bytes');
export type NeedsBytes = typeof NEEDS_BYTES;
/** A step that may have to wait for bytes. */
export type Waiting<T> = Generator<NeedsBytes, T, void>;

export class ByteQueue {
  #chunks: Uint8Array[] = [];
  /** Index of the first chunk with unread bytes, so that taking is cheap however many small chunks wait. */
  #first = 0;
  /** Bytes already read of that chunk. */
  #offset = 0;
  #available = 0;
  #ended = false;

  get available(): number {
    return this.#available;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#available += bytes.length;
  }

  end(): void {
    this.#ended = true;
  }

  /** Waits for so many bytes; false when the file ends before. */
  *need(count: number): Waiting<boolean> {
    while (this.#available < count) {
      if (this.#ended) return false;
      yield NEEDS_BYTES;
    }
    return true;
  }

  /** Waits until anything can be read; false at the end of the file. */
  needAny(): Waiting<boolean> {
    return this.need(1);
  }

  /** Passes over so many bytes without keeping them; false when the file ends before. */
  *skip(count: number): Waiting<boolean> {
    let left = count;
    while (left > 0) {
      if (!(yield* this.needAny())) return false;
      const step = Math.min(left, this.#available);
      this.#advance(step);
      left -= step;
    }
    return true;
  }

  /** The next bytes, which must have arrived. A view where possible; never changed afterwards. */
  take(count: number): Uint8Array {
    const bytes = this.peek(count);
    this.#advance(count);
    return bytes;
  }

  /** Like take, but the bytes stay. */
  peek(count: number): Uint8Array {
    if (count > this.#available) throw new RangeError(`${count} bytes wanted, ${this.#available} there`);
    const head = this.#chunks[this.#first];
    if (!head || count === 0) return new Uint8Array(0);
    if (head.length - this.#offset >= count) return head.subarray(this.#offset, this.#offset + count);
    const joined = new Uint8Array(count);
    let filled = 0;
    for (let index = this.#first; filled < count; index++) {
      const chunk = this.#chunks[index]!;
      const from = index === this.#first ? this.#offset : 0;
      const part = chunk.subarray(from, from + count - filled);
      joined.set(part, filled);
      filled += part.length;
    }
    return joined;
  }

  #advance(count: number): void {
    this.#available -= count;
    let left = count;
    while (left > 0) {
      const rest = this.#chunks[this.#first]!.length - this.#offset;
      if (left < rest) {
        this.#offset += left;
        break;
      }
      left -= rest;
      this.#offset = 0;
      this.#first++;
    }
    // Drops what was read in large steps: shifting an array of a million one-byte chunks one by one would be quadratic.
    if (this.#first === this.#chunks.length || this.#first > 1024) {
      this.#chunks = this.#chunks.slice(this.#first);
      this.#first = 0;
    }
  }
}
