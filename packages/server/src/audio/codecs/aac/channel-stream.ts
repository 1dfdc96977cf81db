// Parses one channel of an AAC frame (ISO/IEC 14496-3 section 4.4.2.7): sections, scale factors, pulses, noise shaping.
import type { MsbBits } from '../bits-msb.ts';
import { PrefixCode } from '../prefix-code.ts';
import { SCALE_FACTOR_CODE } from './huffman-codes.ts';
import { readShaping, type Shaping } from './noise-shaping.ts';
import { readWindowInfo, type WindowInfo } from './window-info.ts';

/** Codebooks with a special meaning. */
export const BOOK = { ZERO: 0, ESCAPE: 11, NOISE: 13, INTENSITY_TURNED: 14, INTENSITY: 15 };

export interface Pulse {
  readonly line: number;
  readonly size: number;
}

export interface ChannelStream {
  readonly info: WindowInfo;
  /** Codebooks by group and band, at `group * bandCount + band`. */
  readonly books: Uint8Array;
  /** Scale factors; for noise bands the energy, for intensity stereo bands the direction. */
  readonly levels: Int16Array;
  readonly pulses: readonly Pulse[];
  readonly shaping: readonly Shaping[];
}

const scaleFactorCode = new PrefixCode(SCALE_FACTOR_CODE);

/** Reads everything before the spectrum. */
export const readChannelStream = (bits: MsbBits, rateIndex: number, shared: WindowInfo | undefined): ChannelStream => {
  const globalGain = bits.unsigned(8);
  const info = shared ?? readWindowInfo(bits, rateIndex);
  const books = readBooks(bits, info);
  const levels = readLevels(bits, books, globalGain);
  const pulses = bits.unsigned(1) === 1 ? readPulses(bits, info) : [];
  const shaping = bits.unsigned(1) === 1 ? readShaping(bits, info) : [];
  if (bits.unsigned(1) === 1) throw new Error('AAC with gain control, which the low complexity profile does not have');
  return { info, books, levels, pulses, shaping };
};

/** Sections are runs of bands with one codebook. */
const readBooks = (bits: MsbBits, { groups, bandCount, isShort }: WindowInfo): Uint8Array => {
  const books = new Uint8Array(groups.length * bandCount);
  const lengthBits = isShort ? 3 : 5;
  const more = (1 << lengthBits) - 1;
  for (let group = 0; group < groups.length; group++) {
    for (let band = 0; band < bandCount; ) {
      const book = bits.unsigned(4);
      let length = 0;
      let part = more;
      while (part === more) {
        part = bits.unsigned(lengthBits);
        length += part;
      }
      if (book === 12 || band + length > bandCount) throw new Error('AAC section out of bounds');
      books.fill(book, group * bandCount + band, group * bandCount + band + length);
      band += length;
    }
  }
  return books;
};

/** Noise energy starts this far below the global gain; its first value has nine bits. */
const NOISE_OFFSET = 90;
const FIRST_NOISE_BITS = 9;
const DIFFERENCE_OFFSET = 60;

const readLevels = (bits: MsbBits, books: Uint8Array, globalGain: number): Int16Array => {
  const levels = new Int16Array(books.length);
  let scaleFactor = globalGain;
  let direction = 0;
  let noise = globalGain - NOISE_OFFSET;
  let hasNoise = false;
  const difference = (): number => scaleFactorCode.next(bits) - DIFFERENCE_OFFSET;
  for (const [at, book] of books.entries()) {
    if (book === BOOK.ZERO) continue;
    if (book === BOOK.INTENSITY || book === BOOK.INTENSITY_TURNED) {
      direction += difference();
      levels[at] = direction;
    } else if (book === BOOK.NOISE) {
      noise += hasNoise ? difference() : bits.unsigned(FIRST_NOISE_BITS) - (1 << (FIRST_NOISE_BITS - 1));
      hasNoise = true;
      levels[at] = noise;
    } else {
      scaleFactor += difference();
      if (scaleFactor < 0 || scaleFactor > 255) throw new Error('AAC scale factor out of bounds');
      levels[at] = scaleFactor;
    }
  }
  return levels;
};

const readPulses = (bits: MsbBits, { isShort, bandStarts }: WindowInfo): Pulse[] => {
  if (isShort) throw new Error('AAC pulses in short windows');
  const count = bits.unsigned(2) + 1;
  let line = bandStarts[bits.unsigned(6)] ?? Number.POSITIVE_INFINITY;
  return Array.from({ length: count }, () => {
    line += bits.unsigned(5);
    const size = bits.unsigned(4);
    if (line >= 1024) throw new Error('AAC pulse out of bounds');
    return { line, size };
  });
};
