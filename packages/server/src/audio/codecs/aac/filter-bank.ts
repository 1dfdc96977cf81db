// The filter bank of AAC (ISO/IEC 14496-3 section 4.6.11): inverse MDCT, windows of two shapes, overlap with the frame before.
import { type InverseMdct, inverseMdct } from '../mdct.ts';
import { AAC_FRAMES } from './config.ts';
import type { WindowInfo } from './window-info.ts';

const LONG = AAC_FRAMES;
const SHORT = 128;
/** Where the short slopes stand within a long half: in its middle. */
const SHORT_AT = (LONG - SHORT) / 2;

const sineSlope = (size: number): Float64Array =>
  Float64Array.from({ length: size }, (_, at) => Math.sin((Math.PI / (2 * size)) * (at + 0.5)));

/** The modified Bessel function of order zero, as its series. */
const bessel = (x: number): number => {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 60; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
};

const kaiserBesselSlope = (size: number, alpha: number): Float64Array => {
  const kernel = Array.from({ length: size + 1 }, (_, at) =>
    bessel(Math.PI * alpha * Math.sqrt(1 - ((2 * at) / size - 1) ** 2)),
  );
  const total = kernel.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  return Float64Array.from({ length: size }, (_, at) => {
    sum += kernel[at]!;
    return Math.sqrt(sum / total);
  });
};

/** Rising halves of the windows, by shape. */
const LONG_SLOPES = [sineSlope(LONG), kaiserBesselSlope(LONG, 4)];
const SHORT_SLOPES = [sineSlope(SHORT), kaiserBesselSlope(SHORT, 6)];

/** Full scale is 32768, and the transform's own factor is two over the block. */
const LONG_SCALE = 1 / LONG / 32_768;
const SHORT_SCALE = 1 / SHORT / 32_768;

let transforms: { readonly long: InverseMdct; readonly short: InverseMdct } | undefined;
const block = new Float64Array(2 * LONG);

/** One channel; keeps what reaches into the next frame. */
export class FilterBank {
  readonly #overlap = new Float64Array(LONG);
  #shapeBefore = 0;

  process({ sequence, shape, isShort }: WindowInfo, spectrum: Float32Array): Float32Array {
    transforms ??= { long: inverseMdct(2 * LONG), short: inverseMdct(2 * SHORT) };
    const rise = { long: LONG_SLOPES[this.#shapeBefore]!, short: SHORT_SLOPES[this.#shapeBefore]! };
    const fall = { long: LONG_SLOPES[shape]!, short: SHORT_SLOPES[shape]! };
    if (isShort) eightShort(spectrum, rise.short, fall.short, transforms.short);
    else oneLong(sequence, spectrum, rise, fall, transforms.long);
    const overlap = this.#overlap;
    const output = new Float32Array(LONG);
    for (let at = 0; at < LONG; at++) {
      output[at] = overlap[at]! + block[at]!;
      overlap[at] = block[LONG + at]!;
    }
    this.#shapeBefore = shape;
    return output;
  }
}

interface Slopes {
  readonly long: Float64Array;
  readonly short: Float64Array;
}

const oneLong = (sequence: number, spectrum: Float32Array, rise: Slopes, fall: Slopes, mdct: InverseMdct): void => {
  const samples = mdct.transform(spectrum);
  if (sequence === 3) {
    for (let at = 0; at < LONG; at++) {
      const gain = at < SHORT_AT ? 0 : at < SHORT_AT + SHORT ? rise.short[at - SHORT_AT]! : 1;
      block[at] = samples[at]! * gain * LONG_SCALE;
    }
  } else {
    for (let at = 0; at < LONG; at++) block[at] = samples[at]! * rise.long[at]! * LONG_SCALE;
  }
  if (sequence === 1) {
    for (let at = 0; at < LONG; at++) {
      const gain = at < SHORT_AT ? 1 : at < SHORT_AT + SHORT ? fall.short[SHORT - 1 - (at - SHORT_AT)]! : 0;
      block[LONG + at] = samples[LONG + at]! * gain * LONG_SCALE;
    }
  } else {
    for (let at = 0; at < LONG; at++) {
      block[LONG + at] = samples[LONG + at]! * fall.long[LONG - 1 - at]! * LONG_SCALE;
    }
  }
};

const eightShort = (spectrum: Float32Array, rise: Float64Array, fall: Float64Array, mdct: InverseMdct): void => {
  block.fill(0);
  for (let window = 0; window < 8; window++) {
    const samples = mdct.transform(spectrum.subarray(window * SHORT, (window + 1) * SHORT));
    // The first window joins the frame before; within a frame both slopes have its shape.
    const ownRise = window === 0 ? rise : fall;
    const start = SHORT_AT + window * SHORT;
    for (let at = 0; at < SHORT; at++) {
      block[start + at]! += samples[at]! * ownRise[at]! * SHORT_SCALE;
      block[start + SHORT + at]! += samples[SHORT + at]! * fall[SHORT - 1 - at]! * SHORT_SCALE;
    }
  }
};
