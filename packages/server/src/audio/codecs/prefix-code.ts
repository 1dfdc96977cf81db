// Decodes prefix (Huffman) codes with a table for the first bits and secondary tables for long codes.
import type { MsbBits } from './bits-msb.ts';

const ROOT_BITS = 9;

interface Codeword {
  readonly bits: number;
  /** The code at the top of a 32-bit word. */
  readonly aligned: number;
  readonly symbol: number;
}

/**
 * Notation: three base-36 characters per codeword, in code order. The first is the length in bits, the others are the
 * symbol. The codes are complete, so the ordered lengths determine the codes.
 */
const parse = (notation: string): Codeword[] => {
  let aligned = 0;
  return Array.from({ length: notation.length / 3 }, (_, index) => {
    const bits = Number.parseInt(notation[3 * index]!, 36);
    const word = { bits, aligned, symbol: Number.parseInt(notation.slice(3 * index + 1, 3 * index + 3), 36) };
    aligned += 2 ** (32 - bits);
    return word;
  });
};

export class PrefixCode {
  /** `symbol << 5 | bits`; for long codes the negative of `start of a secondary table << 5 | bits of its index`. */
  readonly #table: Int32Array;

  constructor(notation: string) {
    const codewords = parse(notation);
    const table = Array<number>(1 << ROOT_BITS).fill(0);
    const fill = (from: number, indexBits: number, codeBits: number, code: number, entry: number): void => {
      const copies = 1 << (indexBits - codeBits);
      for (let copy = 0; copy < copies; copy++) table[from + code * copies + copy] = entry;
    };
    const long = new Map<number, Codeword[]>();
    for (const word of codewords) {
      if (word.bits <= ROOT_BITS) {
        const code = Math.floor(word.aligned / 2 ** (32 - word.bits));
        fill(0, ROOT_BITS, word.bits, code, (word.symbol << 5) | word.bits);
        continue;
      }
      const root = Math.floor(word.aligned / 2 ** (32 - ROOT_BITS));
      long.set(root, [...(long.get(root) ?? []), word]);
    }
    for (const [root, words] of long) {
      const indexBits = Math.max(...words.map(({ bits }) => bits)) - ROOT_BITS;
      const from = table.length;
      table.push(...Array<number>(1 << indexBits).fill(0));
      table[root] = -((from << 5) | indexBits);
      for (const { bits, aligned, symbol } of words) {
        const code = Math.floor(aligned / 2 ** (32 - bits)) - root * 2 ** (bits - ROOT_BITS);
        fill(from, indexBits, bits - ROOT_BITS, code, (symbol << 5) | bits);
      }
    }
    this.#table = Int32Array.from(table);
  }

  /** Reads one codeword; throws at the end of the packet. */
  next(bits: MsbBits): number {
    const word = bits.peek();
    let entry = this.#table[word >>> (32 - ROOT_BITS)]!;
    if (entry < 0) {
      const further = -entry;
      entry = this.#table[(further >>> 5) + ((word << ROOT_BITS) >>> (32 - (further & 31)))]!;
    }
    bits.skip(entry & 31);
    return entry >>> 5;
  }
}
