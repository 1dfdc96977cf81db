// The band-pass filters of SincNet, computed exactly from their cut-off frequencies.

interface SincParameters {
  /** Low and high cut-off of each band, in Hz. */
  readonly lowHz: ArrayLike<number>;
  readonly highHz: ArrayLike<number>;
  /** Left half of the time axis, as radians per Hz: 2π·t for t before zero. */
  readonly radiansPerHz: ArrayLike<number>;
  /** Left half of the window. */
  readonly window: ArrayLike<number>;
}

/** [2 × bands, 1, 2 × half + 1]: an even (cosine) filter per band, then an odd (sine) filter per band. */
export const sincFilters = ({ lowHz, highHz, radiansPerHz, window }: SincParameters): Float32Array => {
  const bands = lowHz.length;
  const half = radiansPerHz.length;
  const taps = 2 * half + 1;
  const filters = new Float32Array(2 * bands * taps);
  for (let band = 0; band < bands; band++) {
    const low = lowHz[band]!;
    const high = highHz[band]!;
    const scale = 1 / (2 * (high - low));
    const even = band * taps;
    const odd = (bands + band) * taps;
    filters[even + half] = 1;
    for (let tap = 0; tap < half; tap++) {
      const radians = radiansPerHz[tap]!;
      const weight = (window[tap]! / (radians / 2)) * scale;
      const cosine = (Math.sin(high * radians) - Math.sin(low * radians)) * weight;
      const sine = (Math.cos(low * radians) - Math.cos(high * radians)) * weight;
      filters[even + tap] = cosine;
      filters[even + taps - 1 - tap] = cosine;
      filters[odd + tap] = sine;
      filters[odd + taps - 1 - tap] = -sine;
    }
  }
  return filters;
};
