// Parses Vorbis codebooks (Vorbis I section 3): Huffman codes whose entries may be vectors.
import { bitLength, EndOfPacket, type LsbBits } from './bits.ts';

export interface Codebook {
  readonly dimensions: number;
  readonly entries: number;
  /** The vectors, concatenated; undefined when the entries are plain numbers. */
  readonly vectors: Float32Array | undefined;
  next(bits: LsbBits): number;
}

/** Limits for all codebooks of a stream: far above what encoders write, low enough to protect memory. */
export class CodebookBudget {
  #entries = 1 << 17;
  #vectorValues = 1 << 19;

  spend(entries: number, vectorValues: number): void {
    this.#entries -= entries;
    this.#vectorValues -= vectorValues;
    if (this.#entries < 0 || this.#vectorValues < 0) throw new Error('codebooks out of bounds');
  }
}

const SYNC = 0x56_43_42;

export const readCodebook = (bits: LsbBits, budget: CodebookBudget): Codebook => {
  if (bits.read(24) !== SYNC) throw new Error('codebook without its sync pattern');
  const dimensions = bits.read(16);
  const entries = bits.read(24);
  if (entries === 0) throw new Error('codebook without entries');
  budget.spend(entries, 0);
  const lengths = readLengths(bits, entries);
  const vectors = readVectors(bits, entries, dimensions, budget);
  const next = huffman(lengths);
  return { dimensions, entries, vectors, next };
};

/** Code lengths; zero for unused entries. */
const readLengths = (bits: LsbBits, entries: number): Uint8Array => {
  const lengths = new Uint8Array(entries);
  if (bits.flag()) {
    // Ordered: the number of entries per length, shortest first.
    let length = bits.read(5) + 1;
    for (let entry = 0; entry < entries; length++) {
      const count = bits.read(bitLength(entries - entry));
      if (entry + count > entries || length > 32) throw new Error('codebook with too many codes');
      lengths.fill(length, entry, entry + count);
      entry += count;
    }
    return lengths;
  }
  const isSparse = bits.flag();
  for (let entry = 0; entry < entries; entry++) {
    if (!isSparse || bits.flag()) lengths[entry] = bits.read(5) + 1;
  }
  return lengths;
};

const readVectors = (
  bits: LsbBits,
  entries: number,
  dimensions: number,
  budget: CodebookBudget,
): Float32Array | undefined => {
  const lookup = bits.read(4);
  if (lookup === 0) return undefined;
  if (lookup > 2 || dimensions === 0) throw new Error('codebook of unknown type');
  budget.spend(0, entries * dimensions);
  const minimum = packedFloat(bits.read(32));
  const delta = packedFloat(bits.read(32));
  const valueBits = bits.read(4) + 1;
  const isSequence = bits.flag();
  const count = lookup === 1 ? lookupValues(entries, dimensions) : entries * dimensions;
  const multiplicands = Uint32Array.from({ length: count }, () => bits.read(valueBits));
  const vectors = new Float32Array(entries * dimensions);
  for (let entry = 0; entry < entries; entry++) {
    let last = 0;
    for (let dimension = 0, divisor = 1; dimension < dimensions; dimension++, divisor *= count) {
      const at = lookup === 1 ? Math.floor(entry / divisor) % count : entry * dimensions + dimension;
      const value = multiplicands[at]! * delta + minimum + last;
      vectors[entry * dimensions + dimension] = value;
      if (isSequence) last = value;
    }
  }
  return vectors;
};

/** The largest integer whose power with the dimensions as exponent does not exceed the entries. */
const lookupValues = (entries: number, dimensions: number): number => {
  let count = Math.floor(entries ** (1 / dimensions));
  while ((count + 1) ** dimensions <= entries) count++;
  while (count > 1 && count ** dimensions > entries) count--;
  return count;
};

const packedFloat = (packed: number): number => {
  const mantissa = packed & 0x1f_ff_ff;
  const exponent = (packed >>> 21) & 0x3ff;
  return (packed & 0x80_00_00_00 ? -mantissa : mantissa) * 2 ** (exponent - 788);
};

const TABLE_BITS = 9;

/** Assigns each entry the lowest free code of its length, and returns the decoder. */
const huffman = (lengths: Uint8Array): ((bits: LsbBits) => number) => {
  const used = [...lengths.keys()].filter((entry) => lengths[entry]! > 0);
  const [only] = used;
  if (only === undefined) {
    return () => {
      throw new Error('codebook without codes is used');
    };
  }
  if (used.length === 1) {
    // A single code consumes its bits and carries no information.
    return (bits) => {
      bits.advance(lengths[only]!);
      return only;
    };
  }
  // A binary tree: 0 is free, a positive number a node, a negative one the leaf -1 - entry.
  const tree = [0, 0];
  const codes = assignCodes(lengths, used);
  for (const [index, entry] of used.entries()) {
    const length = lengths[entry]!;
    let node = 0;
    for (let bit = length - 1; bit >= 0; bit--) {
      const branch = 2 * node + ((codes[index]! >>> bit) & 1);
      if (bit === 0) tree[branch] = -1 - entry;
      else {
        if (tree[branch]! <= 0) tree[branch] = tree.push(0, 0) / 2 - 1;
        node = tree[branch]!;
      }
    }
  }
  return treeDecoder(Int32Array.from(tree));
};

const treeDecoder = (tree: Int32Array): ((bits: LsbBits) => number) => {
  const table = shortCodes(tree);
  return (bits) => {
    const word = bits.peekWord();
    const found = table[word & ((1 << TABLE_BITS) - 1)]!;
    if (found !== 0) {
      bits.advance(found & 31);
      return found >>> 5;
    }
    let node = 0;
    for (let depth = 0; depth < 32; depth++) {
      const branch = tree[2 * node + ((word >>> depth) & 1)]!;
      if (branch < 0) {
        bits.advance(depth + 1);
        return -1 - branch;
      }
      if (branch === 0) break;
      node = branch;
    }
    throw new EndOfPacket();
  };
};

/** Entry and length for every bit pattern that starts with a short code. */
const shortCodes = (tree: Int32Array): Uint32Array =>
  Uint32Array.from({ length: 1 << TABLE_BITS }, (_, word) => {
    let node = 0;
    for (let depth = 0; depth < TABLE_BITS; depth++) {
      const branch = tree[2 * node + ((word >>> depth) & 1)]!;
      if (branch < 0) return ((-1 - branch) << 5) | (depth + 1);
      if (branch === 0) return 0;
      node = branch;
    }
    return 0;
  });

/** Codes in entry order, each the lowest that has no earlier code as prefix; throws when there are too many. */
const assignCodes = (lengths: Uint8Array, used: readonly number[]): Uint32Array => {
  /** For each length, the next free code, left-aligned; 0 when none is free. */
  const free = new Float64Array(33);
  let isFirst = true;
  return Uint32Array.from(used, (entry) => {
    const length = lengths[entry]!;
    if (isFirst) {
      isFirst = false;
      for (let depth = 1; depth <= length; depth++) free[depth] = 2 ** (32 - depth);
      return 0;
    }
    let depth = length;
    while (depth > 0 && free[depth] === 0) depth--;
    if (depth === 0) throw new Error('codebook with too many codes');
    const code = free[depth]!;
    free[depth] = 0;
    // Splitting a shorter free code leaves one free code of each length in between.
    for (let deeper = length; deeper > depth; deeper--) free[deeper] = code + 2 ** (32 - deeper);
    return code / 2 ** (32 - length);
  });
};
