// Ogg pages (RFC 3533): found, and found again after damage.
import type { ByteQueue, Waiting } from './byte-queue.ts';

export interface OggPage {
  readonly serial: number;
  readonly sequence: number;
  /** Position at the end of the last packet completed here; undefined when none is. */
  readonly granule: number | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether the first bytes go on with a packet of the page before. */
  readonly isContinued: boolean;
  /** Lengths of the pieces; a piece of 255 goes on in the next. */
  readonly lacing: Uint8Array;
  readonly body: Uint8Array;
}

const HEADER_BYTES = 27;
/** False alarms in a row after which what follows is taken for no ogg at all: checking each costs a page's length. */
const FALSE_STARTS_MAX = 64;
/** Small, since a view over two chunks is a copy. */
const SEARCH_BYTES = 256;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80_00_00_00 ? (crc << 1) ^ 0x04_c1_1d_b7 : crc << 1;
  return crc >>> 0;
});

export const oggChecksum = (page: Uint8Array): number => {
  let crc = 0;
  for (let at = 0; at < page.length; at++) {
    // The checksum's own four bytes count as zero.
    const byte = at >= 22 && at < 26 ? 0 : page[at]!;
    crc = (crc << 8) ^ crcTable[((crc >>> 24) ^ byte) & 0xff]!;
  }
  return crc >>> 0;
};

const startsPage = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x4f && bytes[1] === 0x67 && bytes[2] === 0x67 && bytes[3] === 0x53 && bytes[4] === 0;

/** The next page, passing over anything else; undefined at the end of the file or when only part of a page is left. */
export function* nextOggPage(bytes: ByteQueue): Waiting<OggPage | undefined> {
  let inStep = true;
  for (let falseStarts = 0; falseStarts < FALSE_STARTS_MAX; ) {
    if (!(yield* bytes.need(HEADER_BYTES))) return undefined;
    const header = bytes.peek(HEADER_BYTES);
    if (!startsPage(header)) {
      inStep = false;
      skipToCapture(bytes);
      continue;
    }
    const headerBytes = HEADER_BYTES + header[26]!;
    if (!(yield* bytes.need(headerBytes))) return undefined;
    const lacing = bytes.peek(headerBytes).slice(HEADER_BYTES);
    const pageBytes = headerBytes + lacing.reduce((sum, length) => sum + length, 0);
    if (!(yield* bytes.need(pageBytes))) {
      // Not a page after all, perhaps: a capture pattern met while looking for one may be anything.
      if (inStep) return undefined;
      bytes.take(1);
      falseStarts++;
      continue;
    }
    const page = bytes.peek(pageBytes);
    const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    // In step, a wrong checksum means damaged audio, which decoders survive; out of step it means that this is no page.
    if (!inStep && view.getUint32(22, true) !== oggChecksum(page)) {
      bytes.take(1);
      falseStarts++;
      continue;
    }
    bytes.take(pageBytes);
    const granule = Number(view.getBigInt64(6, true));
    const flags = page[5]!;
    return {
      serial: view.getUint32(14, true),
      sequence: view.getUint32(18, true),
      granule: granule < 0 ? undefined : granule,
      isContinued: (flags & 1) !== 0,
      isFirst: (flags & 2) !== 0,
      isLast: (flags & 4) !== 0,
      lacing,
      body: page.subarray(headerBytes),
    };
  }
  return undefined;
}

/** Drops bytes up to the next that could start a page, at least one. */
const skipToCapture = (bytes: ByteQueue): void => {
  const window = bytes.peek(Math.min(bytes.available, SEARCH_BYTES));
  const next = window.indexOf(0x4f, 1);
  bytes.take(next === -1 ? window.length : next);
};
