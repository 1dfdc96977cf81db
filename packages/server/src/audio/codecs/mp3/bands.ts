// Scale factor bands of layer III: where each band of the spectrum starts (ISO/IEC 11172-3 table B.8, 13818-3 table B.2).
import type { Mp3Header } from './header.ts';
import type { Granule } from './side-info.ts';

/** Spectral lines of a granule. */
export const LINES = 576;

const starts = (widths: readonly number[]): readonly number[] => {
  let at = 0;
  return [0, ...widths.map((width) => (at += width))];
};

/** Widths of the long and short bands, by sample rate. */
const LONG_44100 = starts([4, 4, 4, 4, 4, 4, 6, 6, 8, 8, 10, 12, 16, 20, 24, 28, 34, 42, 50, 54, 76, 158]);
const LONG_48000 = starts([4, 4, 4, 4, 4, 4, 6, 6, 6, 8, 10, 12, 16, 18, 22, 28, 34, 40, 46, 54, 54, 192]);
const LONG_32000 = starts([4, 4, 4, 4, 4, 4, 6, 6, 8, 10, 12, 16, 20, 24, 30, 38, 46, 56, 68, 84, 102, 26]);
const LONG_24000 = starts([6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 18, 22, 26, 32, 38, 46, 54, 62, 70, 76, 36]);
const LONG_LOW = starts([6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 38, 46, 52, 60, 68, 58, 54]);
const LONG_8000 = starts([12, 12, 12, 12, 12, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 76, 90, 2, 2, 2, 2, 2]);
const SHORT_44100 = starts([4, 4, 4, 4, 6, 8, 10, 12, 14, 18, 22, 30, 56]);
const SHORT_48000 = starts([4, 4, 4, 4, 6, 6, 10, 12, 14, 16, 20, 26, 66]);
const SHORT_32000 = starts([4, 4, 4, 4, 6, 8, 12, 16, 20, 26, 34, 42, 12]);
const SHORT_22050 = starts([4, 4, 4, 6, 6, 8, 10, 14, 18, 26, 32, 42, 18]);
const SHORT_24000 = starts([4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 32, 44, 12]);
const SHORT_LOW = starts([4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 30, 40, 18]);
const SHORT_8000 = starts([8, 8, 8, 12, 16, 20, 24, 28, 36, 2, 2, 2, 26]);

interface RateBands {
  readonly long: readonly number[];
  readonly short: readonly number[];
}

const BANDS: Readonly<Record<number, RateBands>> = {
  44100: { long: LONG_44100, short: SHORT_44100 },
  48000: { long: LONG_48000, short: SHORT_48000 },
  32000: { long: LONG_32000, short: SHORT_32000 },
  22050: { long: LONG_LOW, short: SHORT_22050 },
  24000: { long: LONG_24000, short: SHORT_24000 },
  16000: { long: LONG_LOW, short: SHORT_LOW },
  11025: { long: LONG_LOW, short: SHORT_LOW },
  12000: { long: LONG_LOW, short: SHORT_LOW },
  8000: { long: LONG_8000, short: SHORT_8000 },
};

export const bandsOf = (sampleRateHz: number): RateBands => BANDS[sampleRateHz]!;

/** The lines of one scale factor; a short band has one for each of its three windows. */
export interface Band {
  readonly start: number;
  readonly width: number;
  /** Undefined for a long band. */
  readonly window: number | undefined;
  /** Index among the bands of its kind, for pre-emphasis. */
  readonly index: number;
}

const layouts = new Map<string, readonly Band[]>();

/** The bands of a granule, in coded order. */
export const bandLayout = ({ sampleRateHz, version }: Mp3Header, { blockType, isMixed }: Granule): readonly Band[] => {
  const kind = blockType !== 2 ? 'long' : isMixed ? 'mixed' : 'short';
  const key = `${sampleRateHz} ${kind}`;
  const known = layouts.get(key);
  if (known) return known;
  const { long, short } = bandsOf(sampleRateHz);
  // The long part of a mixed block spans two subbands; at 8 kHz its six bands reach further.
  const longCount = kind === 'long' ? 22 : kind === 'short' ? 0 : version === '1' ? 8 : 6;
  const layout: Band[] = long
    .slice(0, longCount)
    .map((start, index) => ({ start, width: long[index + 1]! - start, window: undefined, index }));
  if (kind !== 'long') {
    for (let index = kind === 'mixed' ? 3 : 0; index < 13; index++) {
      const width = short[index + 1]! - short[index]!;
      for (const window of [0, 1, 2]) {
        layout.push({ start: 3 * short[index]! + window * width, width, window, index });
      }
    }
  }
  layouts.set(key, layout);
  return layout;
};
