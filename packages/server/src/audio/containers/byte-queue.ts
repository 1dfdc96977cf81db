// Bytes that have arrived and not been read: lets a parser be written as if the whole file were there.

/** What a parser yields when it cannot go on before more bytes arrive. */
export const NEEDS_BYTES = Symbol('needs bytes');
export type NeedsBytes = typeof NEEDS_BYTES;
/** A step that may have to wait for bytes. */
export type Waiting<T> = Generator<NeedsBytes, T, void>;

/** Chunks smaller than this are gathered into larger ones, so that a million of them do not cost a million objects. */
const SMALL_BYTES = 512;
const GATHERED_BYTES = 4096;

export class ByteQueue {
  #chunks: Uint8Array[] = [];
  /** Index of the first chunk with unread bytes, so that taking is cheap however many small chunks wait. */
  #first = 0;
  /** Bytes already read of that chunk. */
  #offset = 0;
  #available = 0;
  #position = 0;
  #ended = false;
  /** The last chunk while it gathers small ones. */
  #gathering: { readonly buffer: Uint8Array; used: number } | undefined;

  get available(): number {
    return this.#available;
  }

  /** Bytes read so far: where in the file the next one stands. */
  get position(): number {
    return this.#position;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#available += bytes.length;
    if (bytes.length < SMALL_BYTES) {
      this.#gather(bytes);
      return;
    }
    this.#gathering = undefined;
    this.#chunks.push(bytes);
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

  #gather(bytes: Uint8Array): void {
    if (!this.#gathering || this.#gathering.used + bytes.length > GATHERED_BYTES) {
      this.#gathering = { buffer: new Uint8Array(GATHERED_BYTES), used: 0 };
      this.#chunks.push(this.#gathering.buffer.subarray(0, 0));
    }
    const { buffer, used } = this.#gathering;
    buffer.set(bytes, used);
    this.#gathering.used += bytes.length;
    // What was given out before is not touched: the chunk only grows.
    this.#chunks[this.#chunks.length - 1] = buffer.subarray(0, this.#gathering.used);
  }

  #advance(count: number): void {
    this.#available -= count;
    this.#position += count;
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
    if (this.#first === this.#chunks.length) this.#gathering = undefined;
    if (this.#first === this.#chunks.length || this.#first > 1024) {
      this.#chunks = this.#chunks.slice(this.#first);
      this.#first = 0;
    }
  }
}
