// Shrinks an input by removing pieces while it still shows the same fault.
import { concat } from '../audio/wav-writer.ts';

const RUNS_MAX = 2_000;

export const minimise = async (
  bytes: Uint8Array,
  stillFails: (smaller: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> => {
  let smallest = bytes;
  let runs = 0;
  for (let piece = Math.max(1, smallest.length >> 1); runs < RUNS_MAX; piece >>= 1) {
    for (let at = 0; at < smallest.length && runs < RUNS_MAX; ) {
      const smaller = concat(smallest.subarray(0, at), smallest.subarray(at + piece));
      runs += 1;
      if (await stillFails(smaller)) smallest = smaller;
      else at += piece;
    }
    if (piece <= 1) break;
  }
  return smallest;
};
