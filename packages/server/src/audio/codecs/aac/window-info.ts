// Parses how a frame is divided into windows and window groups (ISO/IEC 14496-3 section 4.4.2.1, ics_info).
import type { MsbBits } from '../bits-msb.ts';
import { LONG_BANDS, SHORT_BANDS } from './bands.ts';

export const LONG_START = 1;
const EIGHT_SHORT = 2;
export const LONG_STOP = 3;

export interface WindowInfo {
  /** 0: long; 1: long, then short; 2: eight short; 3: short, then long. */
  readonly sequence: number;
  /** 0: sine; 1: Kaiser-Bessel derived. */
  readonly shape: number;
  readonly isShort: boolean;
  /** Number of coded bands. */
  readonly bandCount: number;
  /** Band starts of one window. */
  readonly bandStarts: readonly number[];
  /** Windows per group; a group shares its scale factors. */
  readonly groups: readonly number[];
}

export const readWindowInfo = (bits: MsbBits, rateIndex: number): WindowInfo => {
  bits.skip(1);
  const sequence = bits.unsigned(2);
  const shape = bits.unsigned(1);
  const isShort = sequence === EIGHT_SHORT;
  const bandStarts = (isShort ? SHORT_BANDS : LONG_BANDS)[rateIndex]!;
  const bandCount = bits.unsigned(isShort ? 4 : 6);
  if (bandCount >= bandStarts.length) throw new Error('too many AAC bands');
  const groups = [1];
  if (isShort) {
    for (let window = 1; window < 8; window++) {
      if (bits.unsigned(1) === 1) groups[groups.length - 1]!++;
      else groups.push(1);
    }
  } else if (bits.unsigned(1) === 1) {
    throw new Error('AAC with prediction, which the low complexity profile does not have');
  }
  return { sequence, shape, isShort, bandCount, bandStarts, groups };
};
