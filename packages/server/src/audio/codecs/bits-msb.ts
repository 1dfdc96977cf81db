// Reads bits, most significant first, from one packet; reading past its end throws.

export class MsbBits {
  readonly #data: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(data: Uint8Array, fromByte = 0) {
    // Padding lets a whole word be read anywhere.
    this.#data = new Uint8Array(data.length + 8);
    this.#data.set(data);
    this.#end = data.length * 8;
    this.#at = fromByte * 8;
  }

  /** Up to 32 bits. */
  unsigned(count: number): number {
    if (count === 0) return 0;
    const value = this.peek() >>> (32 - count);
    this.skip(count);
    return value;
  }

  signed(count: number): number {
    if (count === 0) return 0;
    const value = this.peek() >> (32 - count);
    this.skip(count);
    return value;
  }

  /** Counts the zero bits before the next set bit, and consumes all of them. */
  unary(): number {
    let zeros = 0;
    let word = this.peek();
    while (word === 0) {
      zeros += 32;
      this.skip(32);
      word = this.peek();
    }
    const more = Math.clz32(word);
    this.skip(more + 1);
    return zeros + more;
  }

  get position(): number {
    return this.#at;
  }

  seek(bit: number): void {
    this.#at = bit;
  }

  /** Moves to the next whole byte. */
  align(): void {
    this.skip(-this.#at & 7);
  }

  get bitsLeft(): number {
    return this.#end - this.#at;
  }

  /** The next 32 bits as a signed integer, padded with zeros. */
  peek(): number {
    const byte = this.#at >> 3;
    const shift = this.#at & 7;
    const data = this.#data;
    const word = (data[byte]! << 24) | (data[byte + 1]! << 16) | (data[byte + 2]! << 8) | data[byte + 3]!;
    return shift === 0 ? word : (word << shift) | (data[byte + 4]! >> (8 - shift));
  }

  skip(bits: number): void {
    this.#at += bits;
    if (this.#at > this.#end) throw new Error('the packet ends too early');
  }
}
