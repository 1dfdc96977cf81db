// The spectrum of an AAC channel (ISO/IEC 14496-3 section 4.6.3): Huffman-coded tuples, scaled band by band.
import type { MsbBits } from '../bits-msb.ts';
import { PrefixCode } from '../prefix-code.ts';
import { BOOK, type ChannelStream } from './channel-stream.ts';
import { SPECTRUM_CODES } from './huffman-codes.ts';

interface Book {
  readonly code: PrefixCode;
  /** Values per tuple. */
  readonly size: 2 | 4;
  /** Tuples by symbol, concatenated. */
  readonly tuples: Int8Array;
  /** Whether signs of non-zero values follow the codeword. */
  readonly hasSigns: boolean;
}

/** By codebook: values per tuple, number of distinct values, and the lowest. */
const SHAPES: readonly (readonly [size: 2 | 4, base: number, lowest: number])[] = [
  [4, 3, -1],
  [4, 3, -1],
  [4, 3, 0],
  [4, 3, 0],
  [2, 9, -4],
  [2, 9, -4],
  [2, 8, 0],
  [2, 8, 0],
  [2, 13, 0],
  [2, 13, 0],
  [2, 17, 0],
];

const BOOKS: readonly Book[] = SHAPES.map(([size, base, lowest], index) => {
  const tuples = new Int8Array(base ** size * size);
  for (let symbol = 0; symbol < base ** size; symbol++) {
    for (let at = 0; at < size; at++) {
      tuples[symbol * size + at] = (Math.floor(symbol / base ** (size - 1 - at)) % base) + lowest;
    }
  }
  return { code: new PrefixCode(SPECTRUM_CODES[index]!), size, tuples, hasSigns: lowest === 0 };
});

const VALUES_MAX = 8191;
const POWERS = Float64Array.from({ length: VALUES_MAX + 16 }, (_, value) => value ** (4 / 3));
/** In codebook 11 this value means that an escape sequence follows. */
const ESCAPE_VALUE = 16;

const quantised = new Int32Array(1024);

/**
 * Reads the spectrum; the windows of a group are written one after the other. Bands that start above line `linesMax` of
 * a long window are read but left silent.
 */
export const readSpectrum = (bits: MsbBits, stream: ChannelStream, spectrum: Float32Array, linesMax: number): void => {
  const { info, books, levels, pulses } = stream;
  const { bandStarts, bandCount, groups, isShort } = info;
  const wantedBefore = isShort ? linesMax / 8 : linesMax;
  spectrum.fill(0);
  quantised.fill(0);
  for (let group = 0, groupAt = 0; group < groups.length; groupAt += groups[group]! * 128, group++) {
    const windows = groups[group]!;
    for (let band = 0; band < bandCount; band++) {
      const book = books[group * bandCount + band]!;
      if (book === BOOK.ZERO || book > BOOK.ESCAPE) continue;
      for (let window = 0; window < windows; window++) {
        const base = groupAt + window * 128;
        readLines(bits, BOOKS[book - 1]!, base + bandStarts[band]!, base + bandStarts[band + 1]!);
      }
    }
  }
  for (const { line, size } of pulses) quantised[line]! += quantised[line]! > 0 ? size : -size;
  for (let group = 0, groupAt = 0; group < groups.length; groupAt += groups[group]! * 128, group++) {
    for (let band = 0; band < bandCount; band++) {
      const book = books[group * bandCount + band]!;
      if (bandStarts[band]! >= wantedBefore) break;
      if (book === BOOK.ZERO || book > BOOK.ESCAPE) continue;
      const gain = 2 ** ((levels[group * bandCount + band]! - 100) / 4);
      for (let window = 0; window < groups[group]!; window++) {
        const base = groupAt + window * 128;
        const end = base + bandStarts[band + 1]!;
        for (let line = base + bandStarts[band]!; line < end; line++) {
          const value = quantised[line]!;
          spectrum[line] = value < 0 ? -POWERS[-value]! * gain : POWERS[value]! * gain;
        }
      }
    }
  }
};

const readLines = (bits: MsbBits, { code, size, tuples, hasSigns }: Book, from: number, to: number): void => {
  const hasEscapes = size === 2 && tuples.length === 17 * 17 * 2;
  for (let line = from; line < to; line += size) {
    const tuple = code.next(bits) * size;
    for (let at = 0; at < size; at++) {
      const value = tuples[tuple + at]!;
      quantised[line + at] = hasSigns && value > 0 && bits.unsigned(1) === 1 ? -value : value;
    }
    if (!hasEscapes) continue;
    for (let at = line; at < line + 2; at++) {
      const value = quantised[at]!;
      if (value === ESCAPE_VALUE) quantised[at] = readEscape(bits);
      else if (value === -ESCAPE_VALUE) quantised[at] = -readEscape(bits);
    }
  }
};

const readEscape = (bits: MsbBits): number => {
  let size = 4;
  while (bits.unsigned(1) === 1) size++;
  if (size > 12) throw new Error('AAC value out of bounds');
  return (1 << size) + bits.unsigned(size);
};
