// Complex FFTs in place (Stockham, radices 4 and 5) with precomputed tables.

export const FFT_SIZE = 400;

type Radix = 4 | 5;

interface Stage {
  readonly radix: Radix;
  /** Distance between the inputs of one butterfly. */
  readonly span: number;
  readonly stride: number;
  /** Twiddles by position and output: `cos[p * radix + k]`. */
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

const makeStages = (points: number, radices: readonly Radix[]): Stage[] => {
  let stride = 1;
  return radices.map((radix) => {
    const size = points / stride;
    const span = size / radix;
    const cos = new Float64Array(size);
    const sin = new Float64Array(size);
    for (let p = 0; p < span; p++) {
      for (let k = 0; k < radix; k++) {
        const angle = (-2 * Math.PI * p * k) / size;
        cos[p * radix + k] = Math.cos(angle);
        sin[p * radix + k] = Math.sin(angle);
      }
    }
    const stage = { radix, span: span * stride, stride, cos, sin };
    stride *= radix;
    return stage;
  });
};

const COS_1 = Math.cos((2 * Math.PI) / 5);
const COS_2 = Math.cos((4 * Math.PI) / 5);
const SIN_1 = Math.sin((2 * Math.PI) / 5);
const SIN_2 = Math.sin((4 * Math.PI) / 5);

const radix4 = (re: Float64Array, im: Float64Array, toRe: Float64Array, toIm: Float64Array, stage: Stage): void => {
  const { span, stride, cos, sin } = stage;
  for (let p = 0; p * stride < span; p++) {
    const t = p * 4;
    for (let q = 0; q < stride; q++) {
      const a = q + stride * p;
      const b = a + span;
      const c = b + span;
      const d = c + span;
      const sumRe = re[a]! + re[c]!;
      const sumIm = im[a]! + im[c]!;
      const difRe = re[a]! - re[c]!;
      const difIm = im[a]! - im[c]!;
      const oddRe = re[b]! + re[d]!;
      const oddIm = im[b]! + im[d]!;
      // Times −i.
      const turnRe = im[b]! - im[d]!;
      const turnIm = re[d]! - re[b]!;
      const out = q + stride * t;
      toRe[out] = sumRe + oddRe;
      toIm[out] = sumIm + oddIm;
      store(toRe, toIm, out + stride, difRe + turnRe, difIm + turnIm, cos[t + 1]!, sin[t + 1]!);
      store(toRe, toIm, out + 2 * stride, sumRe - oddRe, sumIm - oddIm, cos[t + 2]!, sin[t + 2]!);
      store(toRe, toIm, out + 3 * stride, difRe - turnRe, difIm - turnIm, cos[t + 3]!, sin[t + 3]!);
    }
  }
};

const radix5 = (re: Float64Array, im: Float64Array, toRe: Float64Array, toIm: Float64Array, stage: Stage): void => {
  const { span, stride, cos, sin } = stage;
  for (let p = 0; p * stride < span; p++) {
    const t = p * 5;
    for (let q = 0; q < stride; q++) {
      const a = q + stride * p;
      const b = a + span;
      const c = b + span;
      const d = c + span;
      const e = d + span;
      const outerRe = re[b]! + re[e]!;
      const outerIm = im[b]! + im[e]!;
      const innerRe = re[c]! + re[d]!;
      const innerIm = im[c]! + im[d]!;
      const outerDifRe = re[b]! - re[e]!;
      const outerDifIm = im[b]! - im[e]!;
      const innerDifRe = re[c]! - re[d]!;
      const innerDifIm = im[c]! - im[d]!;
      const even1Re = re[a]! + COS_1 * outerRe + COS_2 * innerRe;
      const even1Im = im[a]! + COS_1 * outerIm + COS_2 * innerIm;
      const even2Re = re[a]! + COS_2 * outerRe + COS_1 * innerRe;
      const even2Im = im[a]! + COS_2 * outerIm + COS_1 * innerIm;
      // Times −i.
      const odd1Re = SIN_1 * outerDifIm + SIN_2 * innerDifIm;
      const odd1Im = -(SIN_1 * outerDifRe + SIN_2 * innerDifRe);
      const odd2Re = SIN_2 * outerDifIm - SIN_1 * innerDifIm;
      const odd2Im = -(SIN_2 * outerDifRe - SIN_1 * innerDifRe);
      const out = q + stride * t;
      toRe[out] = re[a]! + outerRe + innerRe;
      toIm[out] = im[a]! + outerIm + innerIm;
      store(toRe, toIm, out + stride, even1Re + odd1Re, even1Im + odd1Im, cos[t + 1]!, sin[t + 1]!);
      store(toRe, toIm, out + 2 * stride, even2Re + odd2Re, even2Im + odd2Im, cos[t + 2]!, sin[t + 2]!);
      store(toRe, toIm, out + 3 * stride, even2Re - odd2Re, even2Im - odd2Im, cos[t + 3]!, sin[t + 3]!);
      store(toRe, toIm, out + 4 * stride, even1Re - odd1Re, even1Im - odd1Im, cos[t + 4]!, sin[t + 4]!);
    }
  }
};

const store = (
  toRe: Float64Array,
  toIm: Float64Array,
  at: number,
  re: number,
  im: number,
  cos: number,
  sin: number,
): void => {
  toRe[at] = re * cos - im * sin;
  toIm[at] = re * sin + im * cos;
};

/** Four stages: the result ends in the input arrays. */
const makeFft = (radices: readonly [Radix, Radix, Radix, Radix]) => {
  const points = radices.reduce((product: number, radix) => product * radix, 1);
  const [first, second, third, fourth] = makeStages(points, radices);
  const workRe = new Float64Array(points);
  const workIm = new Float64Array(points);
  const run = (stage: Stage, re: Float64Array, im: Float64Array, toRe: Float64Array, toIm: Float64Array): void =>
    (stage.radix === 4 ? radix4 : radix5)(re, im, toRe, toIm, stage);
  return (re: Float64Array, im: Float64Array): void => {
    run(first!, re, im, workRe, workIm);
    run(second!, workRe, workIm, re, im);
    run(third!, re, im, workRe, workIm);
    run(fourth!, workRe, workIm, re, im);
  };
};

/** Each transforms in place. */
export const fft400 = makeFft([4, 4, 5, 5]);
export const fft256 = makeFft([4, 4, 4, 4]);
