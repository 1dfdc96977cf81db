// The inverse MDCT of Vorbis and AAC, computed with a DCT-IV and a complex FFT of a quarter of the block.

export interface InverseMdct {
  /** Takes half a block of spectrum, returns a block of samples, which the next call overwrites. */
  transform(spectrum: Float32Array): Float32Array;
}

export const inverseMdct = (blockSize: number): InverseMdct => {
  const half = blockSize / 2;
  const quarter = blockSize / 4;
  const transform = cosineTransform(half);
  const block = new Float32Array(blockSize);
  return {
    transform(spectrum) {
      const cosines = transform(spectrum);
      // The block is the DCT-IV, unfolded by its symmetries.
      for (let n = 0; n < quarter; n++) {
        block[n] = cosines[n + quarter]!;
        block[half - 1 - n] = -cosines[n + quarter]!;
        block[half + n] = -cosines[quarter - 1 - n]!;
        block[blockSize - 1 - n] = -cosines[quarter - 1 - n]!;
      }
      return block;
    },
  };
};

/** A DCT-IV of the given size; the next call overwrites the result. */
export const cosineTransform = (size: number): ((spectrum: Float32Array) => Float64Array) => {
  const half = size / 2;
  const twiddleRe = new Float64Array(half);
  const twiddleIm = new Float64Array(half);
  for (let k = 0; k < half; k++) {
    const angle = (-Math.PI * (8 * k + 1)) / (8 * size);
    twiddleRe[k] = Math.cos(angle);
    twiddleIm[k] = Math.sin(angle);
  }
  const fourier = fourierTransform(half);
  const re = new Float64Array(half);
  const im = new Float64Array(half);
  const cosines = new Float64Array(size);
  return (spectrum) => {
    for (let k = 0; k < half; k++) {
      const a = spectrum[2 * k]!;
      const b = spectrum[size - 1 - 2 * k]!;
      re[k] = a * twiddleRe[k]! - b * twiddleIm[k]!;
      im[k] = a * twiddleIm[k]! + b * twiddleRe[k]!;
    }
    fourier(re, im);
    for (let k = 0; k < half; k++) {
      cosines[2 * k] = re[k]! * twiddleRe[k]! - im[k]! * twiddleIm[k]!;
      cosines[size - 1 - 2 * k] = -(re[k]! * twiddleIm[k]! + im[k]! * twiddleRe[k]!);
    }
    return cosines;
  };
};

/** An in-place forward FFT; the size must be a power of two and at least 4. */
const fourierTransform = (size: number): ((re: Float64Array, im: Float64Array) => void) => {
  const bits = Math.log2(size);
  const reversed = Uint32Array.from({ length: size }, (_, at) => {
    let result = 0;
    for (let bit = 0; bit < bits; bit++) result |= ((at >> bit) & 1) << (bits - 1 - bit);
    return result;
  });
  /** Twiddle factors of each stage after the first two. */
  const stages: { readonly span: number; readonly cos: Float64Array; readonly sin: Float64Array }[] = [];
  for (let span = 4; span < size; span *= 2) {
    stages.push({
      span,
      cos: Float64Array.from({ length: span }, (_, k) => Math.cos((Math.PI * k) / span)),
      sin: Float64Array.from({ length: span }, (_, k) => -Math.sin((Math.PI * k) / span)),
    });
  }
  return (re, im) => {
    for (let at = 0; at < size; at++) {
      const other = reversed[at]!;
      if (other <= at) continue;
      const keptRe = re[at]!;
      const keptIm = im[at]!;
      re[at] = re[other]!;
      im[at] = im[other]!;
      re[other] = keptRe;
      im[other] = keptIm;
    }
    firstStages(re, im, size);
    for (const { span, cos, sin } of stages) {
      for (let start = 0; start < size; start += 2 * span) {
        for (let k = 0; k < span; k++) {
          const low = start + k;
          const high = low + span;
          const c = cos[k]!;
          const s = sin[k]!;
          const tRe = re[high]! * c - im[high]! * s;
          const tIm = re[high]! * s + im[high]! * c;
          const lowRe = re[low]!;
          const lowIm = im[low]!;
          re[high] = lowRe - tRe;
          im[high] = lowIm - tIm;
          re[low] = lowRe + tRe;
          im[low] = lowIm + tIm;
        }
      }
    }
  };
};

/** Transforms of four, whose factors are 1 and -i. */
const firstStages = (re: Float64Array, im: Float64Array, size: number): void => {
  for (let at = 0; at < size; at += 4) {
    const sumRe = re[at]! + re[at + 1]!;
    const sumIm = im[at]! + im[at + 1]!;
    const differenceRe = re[at]! - re[at + 1]!;
    const differenceIm = im[at]! - im[at + 1]!;
    const otherSumRe = re[at + 2]! + re[at + 3]!;
    const otherSumIm = im[at + 2]! + im[at + 3]!;
    const turnedRe = im[at + 2]! - im[at + 3]!;
    const turnedIm = re[at + 3]! - re[at + 2]!;
    re[at] = sumRe + otherSumRe;
    im[at] = sumIm + otherSumIm;
    re[at + 2] = sumRe - otherSumRe;
    im[at + 2] = sumIm - otherSumIm;
    re[at + 1] = differenceRe + turnedRe;
    im[at + 1] = differenceIm + turnedIm;
    re[at + 3] = differenceRe - turnedRe;
    im[at + 3] = differenceIm - turnedIm;
  }
};
