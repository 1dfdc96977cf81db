// Temporal noise shaping of AAC (ISO/IEC 14496-3 section 4.6.9): filters along the spectrum.
import type { MsbBits } from '../bits-msb.ts';
import { LONG_SHAPED_BANDS_MAX, SHORT_SHAPED_BANDS_MAX } from './bands.ts';
import type { WindowInfo } from './window-info.ts';

export interface Shaping {
  readonly window: number;
  /** Bands that the filter covers. */
  readonly fromBand: number;
  readonly toBand: number;
  readonly isDownward: boolean;
  /** Weights of the previous lines, nearest first. */
  readonly weights: Float64Array;
}

const LONG_ORDER_MAX = 12;
const SHORT_ORDER_MAX = 7;

export const readShaping = (bits: MsbBits, { isShort, bandStarts }: WindowInfo): Shaping[] => {
  const shaping: Shaping[] = [];
  for (let window = 0; window < (isShort ? 8 : 1); window++) {
    const filters = bits.unsigned(isShort ? 1 : 2);
    if (filters === 0) continue;
    const resolutionBits = bits.unsigned(1) + 3;
    let toBand = bandStarts.length - 1;
    for (let filter = 0; filter < filters; filter++) {
      const length = bits.unsigned(isShort ? 4 : 6);
      const order = bits.unsigned(isShort ? 3 : 5);
      const fromBand = Math.max(0, toBand - length);
      if (order > (isShort ? SHORT_ORDER_MAX : LONG_ORDER_MAX)) throw new Error('AAC filter too long');
      if (order > 0) {
        const isDownward = bits.unsigned(1) === 1;
        const droppedBits = bits.unsigned(1);
        const reflections = Array.from({ length: order }, () =>
          reflection(bits.signed(resolutionBits - droppedBits), resolutionBits),
        );
        shaping.push({ window, fromBand, toBand, isDownward, weights: weightsOf(reflections) });
      }
      toBand = fromBand;
    }
  }
  return shaping;
};

const reflection = (code: number, resolutionBits: number): number => {
  const steps = 2 ** (resolutionBits - 1) + (code >= 0 ? -0.5 : 0.5);
  return Math.sin((code / steps) * (Math.PI / 2));
};

/** Converts reflection coefficients to direct-form coefficients. */
const weightsOf = (reflections: readonly number[]): Float64Array => {
  const weights = new Float64Array(reflections.length);
  for (const [order, coefficient] of reflections.entries()) {
    const before = weights.slice(0, order);
    for (let at = 0; at < order; at++) weights[at] = before[at]! + coefficient * before[order - 1 - at]!;
    weights[order] = coefficient;
  }
  return weights;
};

export const shapeNoise = (
  shaping: readonly Shaping[],
  { isShort, bandStarts, bandCount }: WindowInfo,
  rateIndex: number,
  spectrum: Float32Array,
): void => {
  const shapedBands = Math.min(bandCount, (isShort ? SHORT_SHAPED_BANDS_MAX : LONG_SHAPED_BANDS_MAX)[rateIndex]!);
  for (const { window, fromBand, toBand, isDownward, weights } of shaping) {
    const from = window * 128 + bandStarts[Math.min(fromBand, shapedBands)]!;
    const to = window * 128 + bandStarts[Math.min(toBand, shapedBands)]!;
    const order = weights.length;
    if (isDownward) {
      for (let line = to - 1; line >= from; line--) {
        const reach = Math.min(order, to - 1 - line);
        let value = spectrum[line]!;
        for (let tap = 0; tap < reach; tap++) value -= weights[tap]! * spectrum[line + 1 + tap]!;
        spectrum[line] = value;
      }
    } else {
      for (let line = from; line < to; line++) {
        const reach = Math.min(order, line - from);
        let value = spectrum[line]!;
        for (let tap = 0; tap < reach; tap++) value -= weights[tap]! * spectrum[line - 1 - tap]!;
        spectrum[line] = value;
      }
    }
  }
};
