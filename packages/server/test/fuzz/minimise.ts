// The smallest input that still shows the same fault: pieces are taken out as long as it does.

const RUNS_MAX = 2_000;

export const minimise = async (
  bytes: Uint8Array,
  stillFails: (smaller: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> => {
  let smallest = bytes;
  let runs = 0;
  for (let piece = Math.max(1, smallest.length >> 1); runs < RUNS_MAX; piece = piece >> 1) {
    for (let at = 0; at < smallest.length && runs < RUNS_MAX; ) {
      const smaller = new Uint8Array(Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + piece)]));
      runs += 1;
      if (await stillFails(smaller)) smallest = smaller;
      else at += piece;
    }
    if (piece <= 1) break;
  }
  return smallest;
};
