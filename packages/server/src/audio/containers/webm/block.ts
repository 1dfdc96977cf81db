// Parses a WebM block: its track number and the packets laced into it.
import { readVint } from './ebml.ts';

export interface Block {
  readonly trackNumber: number;
  readonly packets: readonly Uint8Array[];
}

/** Undefined when the block is damaged. */
export const parseBlock = (data: Uint8Array): Block | undefined => {
  const track = readVint(data, 0);
  if (!track || data.length < track.bytes + 3) return undefined;
  // Two bytes of relative time follow; they are not needed.
  const flags = data[track.bytes + 2]!;
  const payload = data.subarray(track.bytes + 3);
  const packets = unlace(payload, (flags >> 1) & 3);
  return packets && { trackNumber: track.value, packets };
};

const unlace = (payload: Uint8Array, lacing: number): Uint8Array[] | undefined => {
  if (lacing === 0) return [payload];
  const count = (payload[0] ?? -1) + 1;
  if (count === 0) return undefined;
  if (lacing === 2) return cutEvenly(payload.subarray(1), count);
  return lacing === 1 ? xiphLaced(payload, count) : ebmlLaced(payload, count);
};

const cutEvenly = (data: Uint8Array, count: number): Uint8Array[] | undefined => {
  const size = data.length / count;
  if (!Number.isInteger(size)) return undefined;
  return Array.from({ length: count }, (_, index) => data.subarray(index * size, (index + 1) * size));
};

/** Sizes as runs of 255 and a remainder, as in Ogg; the last packet takes the rest. */
export const xiphLaced = (payload: Uint8Array, count: number): Uint8Array[] | undefined => {
  const sizes: number[] = [];
  let at = 1;
  for (let index = 0; index < count - 1; index++) {
    let size = 0;
    let byte = 255;
    while (byte === 255) {
      const next = payload[at++];
      if (next === undefined) return undefined;
      byte = next;
      size += byte;
    }
    sizes.push(size);
  }
  return cut(payload, at, sizes);
};

/** The first size is absolute, the others are differences from the previous one. */
const ebmlLaced = (payload: Uint8Array, count: number): Uint8Array[] | undefined => {
  const sizes: number[] = [];
  let at = 1;
  for (let index = 0; index < count - 1; index++) {
    const number = readVint(payload, at);
    if (!number) return undefined;
    at += number.bytes;
    const bias = 2 ** (7 * number.bytes - 1) - 1;
    const size: number = index === 0 ? number.value : sizes[index - 1]! + number.value - bias;
    if (size < 0) return undefined;
    sizes.push(size);
  }
  return cut(payload, at, sizes);
};

const cut = (payload: Uint8Array, start: number, sizes: readonly number[]): Uint8Array[] | undefined => {
  const packets: Uint8Array[] = [];
  let at = start;
  for (const size of sizes) {
    if (at + size > payload.length) return undefined;
    packets.push(payload.subarray(at, at + size));
    at += size;
  }
  return at > payload.length ? undefined : [...packets, payload.subarray(at)];
};
