// AAC tools applied after the coded spectrum: noise, mid and side, intensity stereo (ISO/IEC 14496-3 sections 4.6.8 and
// 4.6.13).
import { BOOK, type ChannelStream } from './channel-stream.ts';
import type { WindowInfo } from './window-info.ts';

type EachBand = (group: number, band: number, from: number, to: number) => void;

/** Calls `use` for each window of each band, with the group, the band's index across groups, and its lines. */
const forEachBand = ({ groups, bandCount, bandStarts }: WindowInfo, use: EachBand): void => {
  for (let group = 0, groupAt = 0; group < groups.length; groupAt += groups[group]! * 128, group++) {
    for (let band = 0; band < bandCount; band++) {
      for (let window = 0; window < groups[group]!; window++) {
        const base = groupAt + window * 128;
        use(group, group * bandCount + band, base + bandStarts[band]!, base + bandStarts[band + 1]!);
      }
    }
  }
};

/** A noise generator in -1..1. */
export class Noise {
  #state = 0x1f2e3d4c;

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return this.#state / 2 ** 31;
  }
}

/** Fills the bands for which only the energy is coded. */
export const addNoise = ({ info, books, levels }: ChannelStream, spectrum: Float32Array, noise: Noise): void => {
  if (!books.includes(BOOK.NOISE)) return;
  forEachBand(info, (_group, band, from, to) => {
    if (books[band] !== BOOK.NOISE) return;
    let energy = 0;
    for (let line = from; line < to; line++) {
      const value = noise.next();
      spectrum[line] = value;
      energy += value * value;
    }
    const gain = 2 ** (levels[band]! / 4) / Math.sqrt(energy || 1);
    for (let line = from; line < to; line++) spectrum[line]! *= gain;
  });
};

/** Converts mid and side, and intensity stereo, to left and right. */
export const joinStereo = (
  left: ChannelStream,
  right: ChannelStream,
  /** By band: whether it is mid and side; for intensity stereo, whether the direction is inverted. */
  isJoint: Uint8Array,
  first: Float32Array,
  second: Float32Array,
): void => {
  forEachBand(right.info, (_group, band, from, to) => {
    const book = right.books[band]!;
    if (book === BOOK.INTENSITY || book === BOOK.INTENSITY_TURNED) {
      const isTurned = (book === BOOK.INTENSITY_TURNED) !== (isJoint[band] === 1);
      const gain = 2 ** (-right.levels[band]! / 4) * (isTurned ? -1 : 1);
      for (let line = from; line < to; line++) second[line] = first[line]! * gain;
    } else if (isJoint[band] === 1 && book !== BOOK.NOISE && left.books[band] !== BOOK.NOISE) {
      for (let line = from; line < to; line++) {
        const middle = first[line]!;
        const side = second[line]!;
        first[line] = middle + side;
        second[line] = middle - side;
      }
    }
  });
};
