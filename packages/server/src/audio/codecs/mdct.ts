// The inverse MDCT of Vorbis and AAC, by way of a DCT-IV and a complex Fourier transform of a quarter of the block.

export interface InverseMdct {
  /** Half a block of spectrum in, a whole block of samples out; the result is overwritten by the next call. */
  transform(spectrum: Float32Array): Float32Array;
}

export const inverseMdct = (blockSize: number): InverseMdct => {
  const half = blockSize / 2;
  const quarter = blockSize / 4;
  const twiddleRe = new Float64Array(quarter);
  const twiddleIm = new Float64Array(quarter);
  for (let k = 0; k < quarter; k++) {
    const angle = (-Math.PI * (8 * k + 1)) / (8 * half);
    twiddleRe[k] = Math.cos(angle);
    twiddleIm[k] = Math.sin(angle);
  }
  const fourier = fourierTransform(quarter);
  const re = new Float64Array(quarter);
  const im = new Float64Array(quarter);
  const cosines = new Float64Array(half);
  const block = new Float32Array(blockSize);
  return {
    transform(spectrum) {
      for (let k = 0; k < quarter; k++) {
        const a = spectrum[2 * k]!;
        const b = spectrum[half - 1 - 2 * k]!;
        re[k] = a * twiddleRe[k]! - b * twiddleIm[k]!;
        im[k] = a * twiddleIm[k]! + b * twiddleRe[k]!;
      }
      fourier(re, im);
      for (let k = 0; k < quarter; k++) {
        cosines[2 * k] = re[k]! * twiddleRe[k]! - im[k]! * twiddleIm[k]!;
        cosines[half - 1 - 2 * k] = -(re[k]! * twiddleIm[k]! + im[k]! * twiddleRe[k]!);
      }
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

/** A forward transform in place, for powers of two. */
const fourierTransform = (size: number): ((re: Float64Array, im: Float64Array) => void) => {
  const bits = Math.log2(size);
  const reversed = Uint32Array.from({ length: size }, (_, at) => {
    let result = 0;
    for (let bit = 0; bit < bits; bit++) result |= ((at >> bit) & 1) << (bits - 1 - bit);
    return result;
  });
  const cos = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sin = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  return (re, im) => {
    for (let at = 0; at < size; at++) {
      const other = reversed[at]!;
      if (other <= at) continue;
      [re[at], re[other]] = [re[other]!, re[at]!];
      [im[at], im[other]] = [im[other]!, im[at]!];
    }
    for (let span = 1; span < size; span *= 2) {
      const stride = size / (2 * span);
      for (let start = 0; start < size; start += 2 * span) {
        for (let k = 0; k < span; k++) {
          const low = start + k;
          const high = low + span;
          const c = cos[k * stride]!;
          const s = sin[k * stride]!;
          const tRe = re[high]! * c - im[high]! * s;
          const tIm = re[high]! * s + im[high]! * c;
          re[high] = re[low]! - tRe;
          im[high] = im[low]! - tIm;
          re[low]! += tRe;
          im[low]! += tIm;
        }
      }
    }
  };
};
