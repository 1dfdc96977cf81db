// Joint stereo of layer III (ISO/IEC 11172-3 section 2.4.3.4.9): mid and side, and intensity stereo.
import type { Band } from './bands.ts';
import type { Mp3Header } from './header.ts';
import { NOT_DIRECTED, type ScaleFactors } from './scale-factors.ts';
import type { Granule } from './side-info.ts';

/** Converts the two coded spectra to left and right. */
export const joinStereo = (
  { version, isMidSide, isIntensity }: Mp3Header,
  right: Granule,
  layout: readonly Band[],
  scaleFactors: ScaleFactors,
  first: Float32Array,
  second: Float32Array,
): void => {
  if (!isIntensity) {
    if (isMidSide) midSide(first, second, 0, first.length);
    return;
  }
  const firstDirected = directedFrom(layout, second);
  for (const [at, { start, width, window }] of layout.entries()) {
    const direction = scaleFactors.directions[at]!;
    const end = start + width;
    if (at < firstDirected[window ?? LONG]! || direction === NOT_DIRECTED) {
      if (isMidSide) midSide(first, second, start, end);
      continue;
    }
    const [leftGain, rightGain] =
      version === '1' ? mpeg1Gains(direction) : mpeg2Gains(direction, (right.scaleFactorCode & 1) === 1);
    for (let line = start; line < end; line++) {
      const value = first[line]!;
      first[line] = value * leftGain;
      second[line] = value * rightGain;
    }
  }
};

const LONG = 3;

/** The first band without content in the right channel, for each window; the last entry is for long bands. */
const directedFrom = (layout: readonly Band[], second: Float32Array): readonly number[] => {
  const from = [0, 0, 0, 0];
  for (const [at, { start, width, window }] of layout.entries()) {
    let isZero = true;
    for (let line = start; line < start + width && isZero; line++) isZero = second[line] === 0;
    if (isZero) continue;
    from[window ?? LONG] = at + 1;
    // The long bands of a mixed block are below its short ones.
    if (window !== undefined) from[LONG] = layout.length;
  }
  return from;
};

const midSide = (first: Float32Array, second: Float32Array, from: number, to: number): void => {
  for (let line = from; line < to; line++) {
    const middle = first[line]! * Math.SQRT1_2;
    const side = second[line]! * Math.SQRT1_2;
    first[line] = middle + side;
    second[line] = middle - side;
  }
};

const mpeg1Gains = (direction: number): readonly [number, number] => {
  if (direction >= 6) return [1, 0];
  const ratio = Math.tan((direction * Math.PI) / 12);
  return [ratio / (1 + ratio), 1 / (1 + ratio)];
};

const mpeg2Gains = (direction: number, isCoarse: boolean): readonly [number, number] => {
  const steps = (direction + 1) >> 1;
  const gain = 2 ** (-steps * (isCoarse ? 0.5 : 0.25));
  return direction & 1 ? [gain, 1] : [1, gain];
};
