// The side information of a layer III frame (ISO/IEC 11172-3 section 2.4.1.7): how each granule is coded.
import { MsbBits } from '../bits-msb.ts';
import type { Mp3Header } from './header.ts';

export interface Granule {
  /** Bits of scale factors and spectrum. */
  readonly codedBits: number;
  /** Pairs of values in the three regions, which have different codes. */
  readonly bigValues: number;
  readonly globalGain: number;
  readonly scaleFactorCode: number;
  /** 0: long; 1: long, then short; 2: short; 3: short, then long. */
  readonly blockType: number;
  /** Short, with the lowest bands long. */
  readonly isMixed: boolean;
  readonly tables: readonly number[];
  readonly subblockGains: readonly number[];
  /** Bands of the first two regions; undefined when the block type implies them. */
  readonly regionBands: readonly [number, number] | undefined;
  readonly hasPreemphasis: boolean;
  readonly scaleFactorStep: 0.5 | 1;
  readonly quadrupleTable: number;
}

export interface SideInfo {
  /** Bytes of main data in earlier frames. */
  readonly reservoirBytes: number;
  /** For each channel, which of four groups of scale factors the second granule shares with the first. */
  readonly sharedScaleFactors: readonly number[];
  /** By granule, then by channel. */
  readonly granules: readonly (readonly Granule[])[];
}

export const readSideInfo = (data: Uint8Array, fromByte: number, header: Mp3Header): SideInfo => {
  const bits = new MsbBits(data, fromByte);
  const { channels } = header;
  const isFirstVersion = header.version === '1';
  const reservoirBytes = bits.unsigned(isFirstVersion ? 9 : 8);
  // Private bits.
  bits.skip(isFirstVersion ? (channels === 1 ? 5 : 3) : channels);
  const each = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);
  const sharedScaleFactors = each(channels, () => (isFirstVersion ? bits.unsigned(4) : 0));
  const granules = each(isFirstVersion ? 2 : 1, () => each(channels, () => readGranule(bits, isFirstVersion)));
  return { reservoirBytes, sharedScaleFactors, granules };
};

const readGranule = (bits: MsbBits, isFirstVersion: boolean): Granule => {
  const codedBits = bits.unsigned(12);
  const bigValues = Math.min(288, bits.unsigned(9));
  const globalGain = bits.unsigned(8);
  const scaleFactorCode = bits.unsigned(isFirstVersion ? 4 : 9);
  const isSwitched = bits.unsigned(1) === 1;
  const blockType = isSwitched ? bits.unsigned(2) : 0;
  const isMixed = isSwitched && bits.unsigned(1) === 1 && blockType === 2;
  const tables = Array.from({ length: isSwitched ? 2 : 3 }, () => bits.unsigned(5));
  const subblockGains = isSwitched ? [bits.unsigned(3), bits.unsigned(3), bits.unsigned(3)] : [0, 0, 0];
  const regionBands = isSwitched ? undefined : ([bits.unsigned(4) + 1, bits.unsigned(3) + 1] as const);
  const hasPreemphasis = isFirstVersion && bits.unsigned(1) === 1;
  const scaleFactorStep = bits.unsigned(1) === 1 ? 1 : 0.5;
  const quadrupleTable = bits.unsigned(1);
  return {
    codedBits,
    bigValues,
    globalGain,
    scaleFactorCode,
    blockType,
    isMixed,
    tables,
    subblockGains,
    regionBands,
    hasPreemphasis,
    scaleFactorStep,
    quadrupleTable,
  };
};
