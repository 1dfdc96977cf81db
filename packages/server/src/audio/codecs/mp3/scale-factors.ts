// Scale factors of layer III (ISO/IEC 11172-3 section 2.4.2.7, 13818-3 section 2.4.3.2): the level of each band.
import type { MsbBits } from '../bits-msb.ts';
import type { Band } from './bands.ts';
import type { Granule } from './side-info.ts';

export interface ScaleFactors {
  /** One per band of the granule's layout. */
  readonly values: Uint8Array;
  /** Directions for intensity stereo; NOT_DIRECTED where the band has none. */
  readonly directions: Uint8Array;
  readonly hasPreemphasis: boolean;
}

export const NOT_DIRECTED = 255;
/** In MPEG-1, a direction of seven means none. */
const MPEG1_NOT_DIRECTED = 7;

/** Bits of the lower and upper bands, by code. */
const LOWER_BITS = [0, 0, 0, 0, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4];
const UPPER_BITS = [0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 3];
/** Ends of the groups of long bands that the second granule may share. */
const SHARED_GROUP_ENDS = [6, 11, 16, 21];

const isUncoded = ({ window, index }: Band): boolean => index === (window === undefined ? 21 : 12);

export const readMpeg1ScaleFactors = (
  bits: MsbBits,
  granule: Granule,
  layout: readonly Band[],
  sharedGroups: number,
  before: ScaleFactors | undefined,
): ScaleFactors => {
  const isLong = granule.blockType !== 2;
  const lower = LOWER_BITS[granule.scaleFactorCode]!;
  const upper = UPPER_BITS[granule.scaleFactorCode]!;
  const values = new Uint8Array(layout.length);
  const directions = new Uint8Array(layout.length);
  for (const [at, band] of layout.entries()) {
    const group = SHARED_GROUP_ENDS.findIndex((end) => at < end);
    const isShared = isLong && before !== undefined && group !== -1 && (sharedGroups & (8 >> group)) !== 0;
    if (isShared) values[at] = before.values[at] ?? 0;
    else if (!isUncoded(band)) {
      const isLower = band.window === undefined ? !isLong || band.index < 11 : band.index < 6;
      values[at] = bits.unsigned(isLower ? lower : upper);
    }
    directions[at] = values[at] === MPEG1_NOT_DIRECTED ? NOT_DIRECTED : values[at]!;
  }
  repeatLastDirections(layout, directions);
  return { values, directions, hasPreemphasis: granule.hasPreemphasis };
};

/** The highest band is not coded and takes the direction of the one below. */
const repeatLastDirections = (layout: readonly Band[], directions: Uint8Array): void => {
  for (const [at, band] of layout.entries()) {
    if (isUncoded(band)) directions[at] = directions[at - (band.window === undefined ? 1 : 3)]!;
  }
};

type Four = readonly [number, number, number, number];
/** Bands in each of four groups, by block type. */
interface Groups {
  readonly long: Four;
  readonly short: Four;
  readonly mixed: Four;
}

const PLAIN_GROUPS: readonly [Groups, Groups, Groups] = [
  { long: [6, 5, 5, 5], short: [9, 9, 9, 9], mixed: [6, 9, 9, 9] },
  { long: [6, 5, 7, 3], short: [9, 9, 12, 6], mixed: [6, 9, 12, 6] },
  { long: [11, 10, 0, 0], short: [18, 18, 0, 0], mixed: [15, 18, 0, 0] },
];
const INTENSITY_GROUPS: readonly [Groups, Groups, Groups] = [
  { long: [7, 7, 7, 0], short: [12, 12, 12, 0], mixed: [6, 15, 12, 0] },
  { long: [6, 6, 6, 3], short: [12, 9, 9, 6], mixed: [6, 12, 9, 6] },
  { long: [8, 8, 5, 0], short: [15, 12, 9, 0], mixed: [6, 18, 9, 0] },
];

/** How MPEG-2 packs the bits of four groups into one code. */
const groupsOf = (
  scaleFactorCode: number,
  isIntensity: boolean,
): { bits: Four; groups: Groups; hasPreemphasis: boolean } => {
  const code = isIntensity ? scaleFactorCode >> 1 : scaleFactorCode;
  const whole = Math.floor;
  if (isIntensity) {
    const [first, second, third] = INTENSITY_GROUPS;
    if (code < 180) {
      const bits: Four = [whole(code / 36), whole((code % 36) / 6), code % 6, 0];
      return { bits, groups: first, hasPreemphasis: false };
    }
    if (code < 244) {
      const rest = code - 180;
      return { bits: [rest >> 4, (rest >> 2) & 3, rest & 3, 0], groups: second, hasPreemphasis: false };
    }
    return { bits: [whole((code - 244) / 3), (code - 244) % 3, 0, 0], groups: third, hasPreemphasis: false };
  }
  const [first, second, third] = PLAIN_GROUPS;
  if (code < 400) {
    const bits: Four = [whole((code >> 4) / 5), (code >> 4) % 5, (code >> 2) & 3, code & 3];
    return { bits, groups: first, hasPreemphasis: false };
  }
  if (code < 500) {
    const rest = code - 400;
    return { bits: [whole((rest >> 2) / 5), (rest >> 2) % 5, rest & 3, 0], groups: second, hasPreemphasis: false };
  }
  return { bits: [whole((code - 500) / 3), (code - 500) % 3, 0, 0], groups: third, hasPreemphasis: true };
};

/** Reads scale factors of MPEG-2 and 2.5; `isIntensity` is for the right channel of a frame in intensity stereo. */
export const readMpeg2ScaleFactors = (
  bits: MsbBits,
  { scaleFactorCode, blockType, isMixed }: Granule,
  layout: readonly Band[],
  isIntensity: boolean,
): ScaleFactors => {
  const { bits: groupBits, groups, hasPreemphasis } = groupsOf(scaleFactorCode, isIntensity);
  const counts = groups[blockType !== 2 ? 'long' : isMixed ? 'mixed' : 'short'];
  const values = new Uint8Array(layout.length);
  const directions = new Uint8Array(layout.length);
  let at = 0;
  for (const [group, count] of counts.entries()) {
    const valueBits = groupBits[group]!;
    for (let left = count; left > 0; left--, at++) {
      values[at] = bits.unsigned(valueBits);
      const isLargest = valueBits > 0 && values[at] === (1 << valueBits) - 1;
      directions[at] = isLargest ? NOT_DIRECTED : values[at]!;
    }
  }
  repeatLastDirections(layout, directions);
  return { values, directions, hasPreemphasis };
};
