// The filter bank of AAC (ISO/IEC 14496-3 section 4.6.11): inverse MDCT, two window shapes, overlap with the previous
// frame.
import { cosineTransform, type InverseMdct, inverseMdct } from '../mdct.ts';
import { AAC_FRAMES } from './config.ts';
import { LONG_START, LONG_STOP, type WindowInfo } from './window-info.ts';

const LONG = AAC_FRAMES;
const SHORT = 128;
/** The short slopes are in the middle of a long half. */
const SHORT_AT = (LONG - SHORT) / 2;

const sineSlope = (size: number): Float64Array =>
  Float64Array.from({ length: size }, (_, at) => Math.sin((Math.PI / (2 * size)) * (at + 0.5)));

/** The modified Bessel function of order zero, as a series. */
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

/** Full scale is 32768, and the transform scales by two over the block size. */
const LONG_SCALE = 1 / LONG / 32_768;
const SHORT_SCALE = 1 / SHORT / 32_768;

const scaled = (slope: Float64Array, scale: number): Float64Array => slope.map((value) => value * scale);
/** A short slope in the middle of a long half. */
const steep = (short: Float64Array): Float64Array =>
  Float64Array.from({ length: LONG }, (_, at) =>
    at < SHORT_AT ? 0 : at < SHORT_AT + SHORT ? short[at - SHORT_AT]! : 1,
  );

/** Rising halves of the windows, by shape. */
const SHAPES = [
  { long: sineSlope(LONG), short: sineSlope(SHORT) },
  { long: kaiserBesselSlope(LONG, 4), short: kaiserBesselSlope(SHORT, 6) },
].map(({ long, short }) => ({
  long: scaled(long, LONG_SCALE),
  steep: scaled(steep(short), LONG_SCALE),
  short: scaled(short, SHORT_SCALE),
}));

/** Shared by all channels; created with the first frame. */
let transforms: { readonly long: (spectrum: Float32Array) => Float64Array; readonly short: InverseMdct } | undefined;
const block = new Float64Array(2 * LONG);

/** Transforms one channel; keeps what extends into the next frame. */
export class FilterBank {
  readonly #overlap = new Float64Array(LONG);
  #shapeBefore = 0;

  process({ sequence, shape, isShort }: WindowInfo, spectrum: Float32Array): Float32Array {
    transforms ??= { long: cosineTransform(LONG), short: inverseMdct(2 * SHORT) };
    const before = SHAPES[this.#shapeBefore]!;
    const now = SHAPES[shape]!;
    this.#shapeBefore = shape;
    const output = new Float32Array(LONG);
    if (isShort) {
      eightShort(spectrum, before.short, now.short, transforms.short);
      this.#overlapBlock(output);
    } else {
      const rise = sequence === LONG_STOP ? before.steep : before.long;
      const fall = sequence === LONG_START ? now.steep : now.long;
      this.#overlapLong(transforms.long(spectrum), rise, fall, output);
    }
    return output;
  }

  /** Unfolds the transform by its symmetries, windows and overlaps it in one pass. */
  #overlapLong(cosines: Float64Array, rise: Float64Array, fall: Float64Array, output: Float32Array): void {
    const overlap = this.#overlap;
    for (let low = 0, high = LONG - 1; low < high; low++, high--) {
      const first = cosines[LONG / 2 + low]!;
      const second = -cosines[LONG / 2 - 1 - low]!;
      output[low] = overlap[low]! + first * rise[low]!;
      output[high] = overlap[high]! - first * rise[high]!;
      overlap[low] = second * fall[high]!;
      overlap[high] = second * fall[low]!;
    }
  }

  #overlapBlock(output: Float32Array): void {
    const overlap = this.#overlap;
    for (let at = 0; at < LONG; at++) {
      output[at] = overlap[at]! + block[at]!;
      overlap[at] = block[LONG + at]!;
    }
  }
}

const eightShort = (spectrum: Float32Array, rise: Float64Array, fall: Float64Array, mdct: InverseMdct): void => {
  block.fill(0);
  for (let window = 0; window < 8; window++) {
    const samples = mdct.transform(spectrum.subarray(window * SHORT, (window + 1) * SHORT));
    // The first window overlaps the previous frame; within a frame both slopes have its shape.
    const ownRise = window === 0 ? rise : fall;
    const start = SHORT_AT + window * SHORT;
    for (let at = 0; at < SHORT; at++) {
      block[start + at]! += samples[at]! * ownRise[at]!;
      block[start + SHORT + at]! += samples[SHORT + at]! * fall[SHORT - 1 - at]!;
    }
  }
};
