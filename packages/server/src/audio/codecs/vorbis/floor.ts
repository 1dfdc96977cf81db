// Decodes the spectral envelope of a Vorbis packet (Vorbis I section 7): line segments on a logarithmic scale.
import { bitLength, EndOfPacket, type LsbBits } from './bits.ts';
import type { Floor } from './setup.ts';

/** 256 steps over 139.5 dB, up to one. */
const LEVELS = Float32Array.from({ length: 256 }, (_, level) => 10 ** ((level - 255) * 0.02734375));
const RANGES = [256, 128, 86, 64];

/** Coded heights of the points; undefined when the channel is silent in this packet. */
export const readFloorPoints = (bits: LsbBits, floor: Floor): Int32Array | undefined => {
  try {
    if (!bits.flag()) return undefined;
    const heights = new Int32Array(floor.positions.length);
    const heightBits = bitLength(RANGES[floor.multiplier - 1]! - 1);
    heights[0] = bits.read(heightBits);
    heights[1] = bits.read(heightBits);
    let at = 2;
    for (const index of floor.partitionClasses) {
      const { dimensions, subclassBits, masterbook, books } = floor.classes[index]!;
      let selector = masterbook ? masterbook.next(bits) : 0;
      for (let dimension = 0; dimension < dimensions; dimension++) {
        const book = books[selector & ((1 << subclassBits) - 1)];
        selector >>>= subclassBits;
        heights[at++] = book ? book.next(bits) : 0;
      }
    }
    return heights;
  } catch (thrown) {
    // A packet that ends within the curve leaves this channel silent.
    if (thrown instanceof EndOfPacket) return undefined;
    throw thrown;
  }
};

/** Multiplies the spectrum by the curve. */
export const applyFloor = (floor: Floor, coded: Int32Array, spectrum: Float32Array): void => {
  const { heights, isUsed } = unwrap(floor, coded);
  let fromX = 0;
  let fromY = heights[floor.sorted[0]!]! * floor.multiplier;
  for (const index of floor.sorted) {
    if (!isUsed[index] || index === floor.sorted[0]) continue;
    const toX = floor.positions[index]!;
    const toY = heights[index]! * floor.multiplier;
    drawLine(fromX, fromY, toX, toY, spectrum);
    fromX = toX;
    fromY = toY;
  }
  const last = LEVELS[clampLevel(fromY)]!;
  for (let x = fromX; x < spectrum.length; x++) spectrum[x]! *= last;
};

/** Each point is coded as a difference from the line between its neighbours, folded into the available range. */
const unwrap = (floor: Floor, coded: Int32Array): { heights: Int32Array; isUsed: Uint8Array } => {
  const range = RANGES[floor.multiplier - 1]!;
  const heights = coded.slice();
  const isUsed = new Uint8Array(coded.length);
  isUsed[0] = 1;
  isUsed[1] = 1;
  for (let index = 2; index < coded.length; index++) {
    const [below, above] = floor.neighbours[index]!;
    const predicted = pointOnLine(
      floor.positions[below]!,
      heights[below]!,
      floor.positions[above]!,
      heights[above]!,
      floor.positions[index]!,
    );
    const value = coded[index]!;
    if (value === 0) {
      heights[index] = predicted;
      continue;
    }
    isUsed[index] = 1;
    isUsed[below] = 1;
    isUsed[above] = 1;
    const roomAbove = range - predicted;
    const roomBelow = predicted;
    if (value >= 2 * Math.min(roomAbove, roomBelow)) {
      heights[index] = roomAbove > roomBelow ? value : range - 1 - value;
    } else {
      heights[index] = predicted + (value % 2 === 1 ? -(value + 1) / 2 : value / 2);
    }
  }
  return { heights, isUsed };
};

const pointOnLine = (x0: number, y0: number, x1: number, y1: number, x: number): number => {
  const rise = y1 - y0;
  const step = Math.floor((Math.abs(rise) * (x - x0)) / (x1 - x0));
  return rise < 0 ? y0 - step : y0 + step;
};

const clampLevel = (level: number): number => Math.max(0, Math.min(255, level));

/** Integer line drawing as specified; the last point belongs to the next line. */
const drawLine = (x0: number, y0: number, x1: number, y1: number, spectrum: Float32Array): void => {
  const rise = y1 - y0;
  const run = x1 - x0;
  const base = Math.trunc(rise / run);
  const remainder = Math.abs(rise) - Math.abs(base) * run;
  const step = rise < 0 ? base - 1 : base + 1;
  const end = Math.min(x1, spectrum.length);
  let y = y0;
  let error = 0;
  for (let x = x0; x < end; x++) {
    if (x > x0) {
      error += remainder;
      if (error >= run) {
        error -= run;
        y += step;
      } else {
        y += base;
      }
    }
    spectrum[x]! *= LEVELS[clampLevel(y)]!;
  }
};
