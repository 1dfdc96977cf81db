// Encodes half-precision numbers, for generated weights.

/** The bits of a number below 2^16; very small numbers become zero. */
export const halfBits = (value: number): number => {
  const size = Math.abs(value);
  if (size < 2 ** -14) return 0;
  const exponent = Math.floor(Math.log2(size));
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.floor((size / 2 ** exponent - 1) * 1024);
};
