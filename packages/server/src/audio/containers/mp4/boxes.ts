// Boxes, the structure of MP4 files (ISO/IEC 14496-12 section 4.2): headers from a stream, and boxes in memory.
import type { ByteQueue, Waiting } from '../byte-queue.ts';
import { textAt, viewOf } from '../read-bytes.ts';

export interface BoxHeader {
  readonly type: string;
  /** Bytes after the header; infinite when the box extends to the end of the file. */
  readonly bytes: number;
}

export interface Box {
  readonly type: string;
  readonly data: Uint8Array;
}

/** The header of the next box; 'end' at the end of the file, 'damaged' when the bytes are not a box. */
export function* nextBox(bytes: ByteQueue): Waiting<BoxHeader | 'end' | 'damaged'> {
  if (!(yield* bytes.need(8))) return 'end';
  const start = bytes.take(8);
  const size = viewOf(start).getUint32(0);
  const type = textAt(start, 4);
  if (size === 0) return { type, bytes: Number.POSITIVE_INFINITY };
  if (size !== 1) return size < 8 ? 'damaged' : { type, bytes: size - 8 };
  if (!(yield* bytes.need(8))) return 'end';
  const large = viewOf(bytes.take(8));
  const largeSize = large.getUint32(0) * 2 ** 32 + large.getUint32(4);
  return largeSize < 16 ? 'damaged' : { type, bytes: largeSize - 16 };
}

/** The boxes within a box, up to the first that is damaged. */
export function* boxesIn(data: Uint8Array, from = 0): Generator<Box, void, void> {
  const view = viewOf(data);
  for (let at = from; at + 8 <= data.length; ) {
    const declared = view.getUint32(at);
    const isLarge = declared === 1 && at + 16 <= data.length;
    const headerBytes = isLarge ? 16 : 8;
    const size = isLarge ? view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12) : declared || data.length - at;
    if (size < headerBytes || at + size > data.length) return;
    yield { type: textAt(data, at + 4), data: data.subarray(at + headerBytes, at + size) };
    at += size;
  }
}

/** The boxes that start within these bytes, even if the last one extends beyond them. */
export function* boxHeadersIn(data: Uint8Array): Generator<{ readonly type: string }, void, void> {
  const view = viewOf(data);
  for (let at = 0; at + 8 <= data.length; ) {
    const size = view.getUint32(at);
    yield { type: textAt(data, at + 4) };
    // A size of 0 or 1 belongs to a box too large to end here.
    if (size < 8) return;
    at += size;
  }
}

/** The first box at a path of types. */
export const findBox = (data: Uint8Array, ...path: readonly string[]): Uint8Array | undefined => {
  let found: Uint8Array | undefined = data;
  for (const type of path) {
    const within: Uint8Array | undefined = found;
    found = undefined;
    if (within) {
      for (const box of boxesIn(within)) {
        if (box.type !== type) continue;
        found = box.data;
        break;
      }
    }
    if (!found) return undefined;
  }
  return found;
};
