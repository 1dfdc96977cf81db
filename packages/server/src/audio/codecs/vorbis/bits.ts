// Reads bits, least significant first, as in Vorbis; reading past the end of a packet throws EndOfPacket.

/** Not an error in audio packets: missing values are zero. */
export class EndOfPacket extends Error {}

export class LsbBits {
  readonly #data: Uint8Array;
  readonly #end: number;
  #at = 0;

  constructor(data: Uint8Array, fromByte = 0) {
    // Padding lets a whole word be read anywhere.
    this.#data = new Uint8Array(data.length + 8);
    this.#data.set(data);
    this.#end = data.length * 8;
    this.#at = fromByte * 8;
  }

  /** Up to 32 bits. */
  read(count: number): number {
    if (count === 0) return 0;
    const value = count === 32 ? this.peekWord() >>> 0 : this.peekWord() & ((1 << count) - 1);
    this.advance(count);
    return value >>> 0;
  }

  flag(): boolean {
    return this.read(1) === 1;
  }

  /** The next 32 bits, padded with zeros. */
  peekWord(): number {
    const byte = this.#at >> 3;
    const shift = this.#at & 7;
    const data = this.#data;
    const word = data[byte]! | (data[byte + 1]! << 8) | (data[byte + 2]! << 16) | (data[byte + 3]! << 24);
    return shift === 0 ? word : (word >>> shift) | (data[byte + 4]! << (32 - shift));
  }

  advance(bits: number): void {
    this.#at += bits;
    if (this.#at > this.#end) throw new EndOfPacket();
  }
}

/** Bits needed to represent the number. */
export const bitLength = (value: number): number => 32 - Math.clz32(value);
