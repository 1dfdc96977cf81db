// The spectrum of a layer III granule: Huffman-coded integers, scaled by gains and scale factors.
import type { MsbBits } from '../bits-msb.ts';
import { PrefixCode } from '../prefix-code.ts';
import { type Band, bandsOf, LINES } from './bands.ts';
import type { Mp3Header } from './header.ts';
import { LINEAR_BITS, PAIR_CODES, QUADRUPLE_CODES } from './huffman-codes.ts';
import type { ScaleFactors } from './scale-factors.ts';
import type { Granule } from './side-info.ts';

interface PairTable {
  readonly code: PrefixCode;
  readonly linearBits: number;
}

const codes = new Map(Object.entries(PAIR_CODES).map(([table, notation]) => [Number(table), new PrefixCode(notation)]));
/** Tables 0, 4 and 14 have no code: their values are zero. */
const PAIR_TABLES: readonly (PairTable | undefined)[] = Array.from({ length: 32 }, (_, table) => {
  const code = codes.get(table < 16 ? table : table < 24 ? 16 : 24);
  return code && { code, linearBits: LINEAR_BITS[table - 16] ?? 0 };
});
const QUADRUPLE_TABLES = QUADRUPLE_CODES.map((notation) => new PrefixCode(notation));

/** Reads the values up to the end of the granule's bits; returns how many lines may be non-zero. */
export const readValues = (
  bits: MsbBits,
  granule: Granule,
  header: Mp3Header,
  endBit: number,
  values: Int32Array,
): number => {
  const { bigValues, tables, quadrupleTable } = granule;
  const pairsEnd = 2 * bigValues;
  let at = 0;
  for (const [region, regionEnd] of regionEnds(granule, header).entries()) {
    const end = Math.min(regionEnd, pairsEnd);
    if (end <= at) continue;
    const table = PAIR_TABLES[tables[region]!];
    if (table) at = readPairs(bits, table, values, at, end, endBit);
    else {
      values.fill(0, at, end);
      at = end;
    }
    if (at < end) return at;
  }
  const quadruples = QUADRUPLE_TABLES[quadrupleTable]!;
  while (bits.position < endBit && at + 4 <= LINES) {
    const symbol = quadruples.next(bits);
    for (let bit = 3; bit >= 0; bit--) {
      values[at + 3 - bit] = (symbol >> bit) & 1 ? 1 - 2 * bits.unsigned(1) : 0;
    }
    // Values past the end do not belong to this granule.
    if (bits.position > endBit) break;
    at += 4;
  }
  return at;
};

const regionEnds = ({ regionBands, blockType }: Granule, { sampleRateHz }: Mp3Header): readonly number[] => {
  const { long, short } = bandsOf(sampleRateHz);
  if (!regionBands) return [blockType === 2 ? 3 * short[3]! : long[8]!, LINES];
  const [first, second] = regionBands;
  return [long[first]!, long[Math.min(22, first + second)]!, LINES];
};

const readPairs = (
  bits: MsbBits,
  { code, linearBits }: PairTable,
  values: Int32Array,
  from: number,
  end: number,
  endBit: number,
): number => {
  let at = from;
  for (; at < end && bits.position < endBit; at += 2) {
    const symbol = code.next(bits);
    let x = symbol >> 4;
    let y = symbol & 15;
    if (x === 15) x += bits.unsigned(linearBits);
    if (x > 0 && bits.unsigned(1) === 1) x = -x;
    if (y === 15) y += bits.unsigned(linearBits);
    if (y > 0 && bits.unsigned(1) === 1) y = -y;
    values[at] = x;
    values[at + 1] = y;
  }
  return at;
};

/** The largest value: 15 plus thirteen bits. */
const POWERS = Float64Array.from({ length: 15 + (1 << 13) }, (_, value) => value ** (4 / 3));
const PREEMPHASIS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 2, 0];

/** Scales coded values to the spectrum, in coded order; lines from `codedLines` on are zero. */
export const requantise = (
  values: Int32Array,
  codedLines: number,
  granule: Granule,
  layout: readonly Band[],
  scaleFactors: ScaleFactors,
  spectrum: Float32Array,
): void => {
  spectrum.fill(0, codedLines);
  for (const [at, { start, width, window, index }] of layout.entries()) {
    if (start >= codedLines) continue;
    const emphasis = scaleFactors.hasPreemphasis && window === undefined ? PREEMPHASIS[index]! : 0;
    const subblockGain = window === undefined ? 0 : granule.subblockGains[window]!;
    const exponent =
      (granule.globalGain - 210) / 4 -
      2 * subblockGain -
      granule.scaleFactorStep * (scaleFactors.values[at]! + emphasis);
    const gain = 2 ** exponent;
    const end = Math.min(start + width, codedLines);
    for (let line = start; line < end; line++) {
      const value = values[line]!;
      spectrum[line] = value < 0 ? -POWERS[-value]! * gain : POWERS[value]! * gain;
    }
  }
};
