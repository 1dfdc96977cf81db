// A queue of bytes that have arrived but not been read, so that parsers can be written as if they had the whole file.

/** What a parser yields when it needs more bytes. */
export const NEEDS_BYTES = Symbol('needs bytes');
export type NeedsBytes = typeof NEEDS_BYTES;
/** A parsing step that may have to wait for bytes. */
export type Waiting<T> = Generator<NeedsBytes, T, void>;

/**
 * Chunks smaller than this are collected in larger ones, so that a million tiny chunks do not become a million objects.
 */
const SMALL_BYTES = 512;
const GATHERED_BYTES = 4096;
/** Small, because a view across two chunks is a copy. */
const SEARCHED_BYTES = 256;

export class ByteQueue {
  #chunks: Uint8Array[] = [];
  /** Index of the first chunk with unread bytes: reading stays cheap however many small chunks are queued. */
  #first = 0;
  /** Bytes of that chunk already read. */
  #offset = 0;
  #available = 0;
  #position = 0;
  #ended = false;
  /** The last chunk, while it collects small ones. */
  #gathering: { readonly buffer: Uint8Array; used: number } | undefined;

  get available(): number {
    return this.#available;
  }

  /** Bytes read so far: the file offset of the next one. */
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

  /** Waits for this many bytes; false when the file ends first. */
  *need(count: number): Waiting<boolean> {
    while (this.#available < count) {
      if (this.#ended) return false;
      yield NEEDS_BYTES;
    }
    return true;
  }

  /** Skips bytes; false when the file ends first. */
  *skip(count: number): Waiting<boolean> {
    let left = count;
    while (left > 0) {
      if (!(yield* this.need(1))) return false;
      const step = Math.min(left, this.#available);
      this.#advance(step);
      left -= step;
    }
    return true;
  }

  /** The next bytes, which must have arrived: a view where possible, never changed later. */
  take(count: number): Uint8Array {
    const bytes = this.peek(count);
    this.#advance(count);
    return bytes;
  }

  /** Like take, but does not consume the bytes. */
  peek(count: number): Uint8Array {
    if (count > this.#available) throw new RangeError(`${count} bytes requested, ${this.#available} available`);
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

  /** The next few bytes, to search in. */
  peekSome(): Uint8Array {
    return this.peek(Math.min(this.#available, SEARCHED_BYTES));
  }

  #gather(bytes: Uint8Array): void {
    if (!this.#gathering || this.#gathering.used + bytes.length > GATHERED_BYTES) {
      this.#gathering = { buffer: new Uint8Array(GATHERED_BYTES), used: 0 };
      this.#chunks.push(this.#gathering.buffer.subarray(0, 0));
    }
    const { buffer, used } = this.#gathering;
    buffer.set(bytes, used);
    this.#gathering.used += bytes.length;
    // The chunk only grows, so views of it stay valid.
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
    // Drop read chunks in large steps: shifting a million one-byte chunks one by one would be quadratic.
    if (this.#first === this.#chunks.length) this.#gathering = undefined;
    if (this.#first === this.#chunks.length || this.#first > 1024) {
      this.#chunks = this.#chunks.slice(this.#first);
      this.#first = 0;
    }
  }
}
