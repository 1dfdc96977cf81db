// Finds Ogg pages (RFC 3533), even after damage.
import type { ByteQueue, Waiting } from '../byte-queue.ts';
import { viewOf } from '../read-bytes.ts';

export interface OggPage {
  readonly serial: number;
  readonly sequence: number;
  /** Position at the end of the last packet completed in this page; undefined when none is. */
  readonly granule: number | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether the first bytes continue a packet of the previous page. */
  readonly isContinued: boolean;
  /** Segment lengths; after a segment of 255 the packet continues. */
  readonly lacing: Uint8Array;
  readonly body: Uint8Array;
}

const HEADER_BYTES = 27;
/** Limit on false starts per file: checking each one reads a whole page. */
const FALSE_STARTS_MAX = 1000;

/** What searching for pages has cost so far in one file. */
export class OggSearch {
  falseStarts = 0;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80_00_00_00 ? (crc << 1) ^ 0x04_c1_1d_b7 : crc << 1;
  return crc >>> 0;
});

export const oggChecksum = (page: Uint8Array): number => {
  let crc = 0;
  for (let at = 0; at < page.length; at++) {
    // The checksum field itself counts as zero.
    const byte = at >= 22 && at < 26 ? 0 : page[at]!;
    crc = (crc << 8) ^ crcTable[((crc >>> 24) ^ byte) & 0xff]!;
  }
  return crc >>> 0;
};

const startsPage = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x4f && bytes[1] === 0x67 && bytes[2] === 0x67 && bytes[3] === 0x53 && bytes[4] === 0;

/**
 * The next page, skipping anything else; undefined at the end of the file, when the last page is incomplete, or after too
 * many false starts.
 */
export function* nextOggPage(bytes: ByteQueue, search: OggSearch): Waiting<OggPage | undefined> {
  let inStep = true;
  while (search.falseStarts < FALSE_STARTS_MAX) {
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
      // The capture pattern was found while searching and may not be a page.
      if (inStep) return undefined;
      bytes.take(1);
      search.falseStarts++;
      continue;
    }
    const page = bytes.peek(pageBytes);
    const view = viewOf(page);
    // In sync, a wrong checksum means damaged audio, which decoders tolerate; while searching, it means that this is
    // not a page.
    if (!inStep && view.getUint32(22, true) !== oggChecksum(page)) {
      bytes.take(1);
      search.falseStarts++;
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

/** Skips at least one byte, up to the next one that could start a page. */
const skipToCapture = (bytes: ByteQueue): void => {
  const window = bytes.peekSome();
  const next = window.indexOf(0x4f, 1);
  bytes.take(next === -1 ? window.length : next);
};
