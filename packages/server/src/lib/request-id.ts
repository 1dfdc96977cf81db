// Request ids: ULIDs that sort by time, even within one millisecond.
import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** The library requests randomness per letter; one call for many letters takes a twentieth of the time. */
const random = new Uint32Array(1_024);
let used = random.length;

/** A random number in [0, 1). */
const randomShare = (): number => {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  return random[used++]! / 2 ** 32;
};

const nextUlid = monotonicFactory(randomShare);

export const newRequestId = (): string => nextUlid();
