// Skips the elements that AAC and Apple Lossless share and that hold no audio.
import type { MsbBits } from './bits-msb.ts';

/** Fill elements carry the high band of HE-AAC, among other things; only the core is decoded. */
export const skipFill = (bits: MsbBits): void => {
  const count = bits.unsigned(4);
  bits.skip(8 * (count === 15 ? count + bits.unsigned(8) - 1 : count));
};

/** Starts after the element's number. */
export const skipData = (bits: MsbBits): void => {
  const isAligned = bits.unsigned(1) === 1;
  const count = bits.unsigned(8);
  const bytes = count === 255 ? count + bits.unsigned(8) : count;
  if (isAligned) bits.align();
  bits.skip(8 * bytes);
};
