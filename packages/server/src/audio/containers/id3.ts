// Skips ID3v2 tags, which precede MP3 files and some others.
import type { ByteQueue, Waiting } from './byte-queue.ts';

const HEADER_BYTES = 10;

export const isId3 = (start: Uint8Array): boolean =>
  start[0] === 0x49 && start[1] === 0x44 && start[2] === 0x33 && start.length >= HEADER_BYTES;

/** Skips the tag that starts here; false when the file ends within it. */
export function* skipId3(bytes: ByteQueue): Waiting<boolean> {
  const start = bytes.peek(HEADER_BYTES);
  // The size has seven bits per byte and excludes the header and the optional footer.
  const size = ((start[6]! & 127) << 21) | ((start[7]! & 127) << 14) | ((start[8]! & 127) << 7) | (start[9]! & 127);
  const footerBytes = start[5]! & 0x10 ? HEADER_BYTES : 0;
  return yield* bytes.skip(HEADER_BYTES + size + footerBytes);
}
