// Reads native FLAC files (RFC 9639). Frames have no length field: a frame ends where its checksum matches and a header
// follows.
import { stepFlacChecksum } from '../codecs/flac.ts';
import {
  type FlacFrameHeader,
  type FlacInfo,
  isFlacHeaderIntact,
  parseFlacFrameHeader,
  parseFlacInfo,
} from '../codecs/flac-frame.ts';
import { unsupported } from '../refusal.ts';
import { type Demuxing, packet } from '../track.ts';
import type { ByteQueue, Waiting } from './byte-queue.ts';
import type { Container } from './container.ts';
import { textAt } from './read-bytes.ts';

const STREAM_INFO = 0;
const STREAM_INFO_BYTES = 34;
const HEADER_BYTES_MAX = 16;
/** A header, one constant sample and a checksum. */
const FRAME_BYTES_MIN = 10;
/** Limit on bytes searched outside of frames, per file. */
const JUNK_BYTES_MAX = 2 * 1024 * 1024;

const SIGNATURE = 'fLaC';

export const flacContainer: Container = {
  name: 'a native FLAC file',
  isInContract: false,
  sniff: (start) => textAt(start, 0) === SIGNATURE,
  demux: demuxFlac,
};

function* demuxFlac(bytes: ByteQueue): Demuxing {
  bytes.take(SIGNATURE.length);
  const info = yield* readInfo(bytes);
  yield {
    kind: 'track',
    coding: { codec: 'flac', sampleRateHz: info.sampleRateHz, channels: info.channels, info },
    skipFrames: 0,
  };
  const search = new FlacFrames(bytes, info);
  for (let frame = yield* search.next(); frame; frame = yield* search.next()) {
    yield packet(frame.data, frame.header.frames);
  }
}

/** Finds the stream info, which comes first, and skips other blocks such as pictures. */
function* readInfo(bytes: ByteQueue): Waiting<FlacInfo> {
  let info: FlacInfo | undefined;
  for (let isLast = false; !isLast; ) {
    if (!(yield* bytes.need(4))) break;
    const header = bytes.take(4);
    const size = header[1]! * 65_536 + header[2]! * 256 + header[3]!;
    isLast = (header[0]! & 0x80) !== 0;
    if ((header[0]! & 0x7f) === STREAM_INFO && size >= STREAM_INFO_BYTES && !info) {
      if (!(yield* bytes.need(size))) break;
      info = parseFlacInfo(bytes.take(size));
    } else if (!(yield* bytes.skip(size))) {
      break;
    }
  }
  if (!info) throw unsupported('The FLAC header is invalid, or its samples have more than 24 bits.');
  return info;
}

interface Frame {
  readonly header: FlacFrameHeader;
  readonly data: Uint8Array;
}

/** How far a frame has been scanned. */
interface Scan {
  readonly header: FlacFrameHeader;
  crc: number;
  length: number;
  /** The last length at which the checksum matched. */
  lastIntact: number;
}

/** A frame is never longer than its samples uncompressed. */
const longestFrame = ({ frames, channels, bitsPerSample, headerBytes }: FlacFrameHeader): number =>
  headerBytes + 2 + channels * (8 + Math.ceil((frames * (bitsPerSample + 1)) / 8));

/** Splits the stream into frames. */
class FlacFrames {
  readonly #bytes: ByteQueue;
  readonly #info: FlacInfo;
  /** Bytes read and not yet returned; the first #held are valid. */
  #buffer = new Uint8Array(64 * 1024);
  #held = 0;
  #start = 0;
  #junkBytes = 0;

  constructor(bytes: ByteQueue, info: FlacInfo) {
    this.#bytes = bytes;
    this.#info = info;
  }

  *next(): Waiting<Frame | undefined> {
    for (;;) {
      // The last frame may be shorter than the longest header.
      if (!(yield* this.#has(HEADER_BYTES_MAX)) && !(yield* this.#has(FRAME_BYTES_MIN))) return undefined;
      const header = this.#headerAt(this.#start);
      if (!header) {
        if (!this.#skipJunk()) return undefined;
        continue;
      }
      const end = yield* this.#endOf(header);
      const data = this.#buffer.slice(this.#start, end.at);
      this.#start = end.at;
      if (end.isIntact) return { header, data };
      this.#junkBytes += data.length;
      if (this.#junkBytes > JUNK_BYTES_MAX) return undefined;
    }
  }

  /** Moves to the next byte that may start a frame; false when too much has been searched. */
  #skipJunk(): boolean {
    const found = this.#buffer.indexOf(0xff, this.#start + 1);
    const next = found === -1 ? this.#held : Math.min(found, this.#held);
    this.#junkBytes += next - this.#start;
    this.#start = next;
    return this.#junkBytes <= JUNK_BYTES_MAX;
  }

  /** Where the frame ends; a damaged frame ends where the next one starts. */
  *#endOf(header: FlacFrameHeader): Waiting<{ at: number; isIntact: boolean }> {
    const scan = { header, crc: 0, length: 0, lastIntact: 0 };
    for (;;) {
      const end = this.#scan(scan);
      if (end) return end;
      // The header of the next frame may be incomplete.
      const wanted = scan.length + HEADER_BYTES_MAX;
      if (scan.length < longestFrame(header) && (yield* this.#has(wanted))) continue;
      const rest = this.#scan(scan, true);
      if (rest) return rest;
      // What was scanned in vain counts: it may be scanned again for each of many false headers.
      this.#junkBytes += scan.length - scan.lastIntact;
      // The last frame of the file, perhaps followed by other data.
      if (scan.lastIntact > 0) return { at: this.#start + scan.lastIntact, isIntact: true };
      return { at: this.#start + header.headerBytes, isIntact: false };
    }
  }

  /** Scans the bytes that have arrived; with `isEnd` also the last ones, which may be too short for a header. */
  #scan(scan: Scan, isEnd = false): { at: number; isIntact: boolean } | undefined {
    const { header } = scan;
    const buffer = this.#buffer;
    const start = this.#start;
    const until = Math.min(this.#held - start - (isEnd ? 0 : HEADER_BYTES_MAX - 1), longestFrame(header));
    let { crc, length, lastIntact } = scan;
    for (; length < until; length++) {
      const byte = buffer[start + length]!;
      if (byte === 0xff && length > header.headerBytes && this.#isSyncAt(start + length)) {
        const next = this.#headerAt(start + length);
        if (next && (crc === 0 || follows(next, header))) return { at: start + length, isIntact: crc === 0 };
      }
      crc = stepFlacChecksum(crc, byte);
      if (crc === 0 && length >= header.headerBytes) lastIntact = length + 1;
    }
    scan.crc = crc;
    scan.length = length;
    scan.lastIntact = lastIntact;
    return undefined;
  }

  #isSyncAt(at: number): boolean {
    return this.#buffer[at] === 0xff && (at + 1 >= this.#held || (this.#buffer[at + 1]! & 0xfe) === 0xf8);
  }

  #headerAt(at: number): FlacFrameHeader | undefined {
    if (!this.#isSyncAt(at)) return undefined;
    const window = this.#buffer.subarray(at, Math.min(this.#held, at + HEADER_BYTES_MAX));
    const header = parseFlacFrameHeader(window, this.#info);
    if (!header || header.channels !== this.#info.channels) return undefined;
    return isFlacHeaderIntact(window, header.headerBytes) ? header : undefined;
  }

  /** Waits until the buffer has this many bytes from #start on; false when the file ends first. */
  *#has(count: number): Waiting<boolean> {
    while (this.#held - this.#start < count) {
      if (!(yield* this.#bytes.need(1))) return false;
      this.#append(this.#bytes.take(Math.min(this.#bytes.available, 64 * 1024)));
    }
    return true;
  }

  #append(bytes: Uint8Array): void {
    if (this.#held + bytes.length > this.#buffer.length) {
      const rest = this.#buffer.subarray(this.#start, this.#held);
      const isRoomy = rest.length + bytes.length <= this.#buffer.length / 2;
      const grown = isRoomy ? this.#buffer : new Uint8Array(2 * (rest.length + bytes.length));
      grown.set(rest);
      this.#buffer = grown;
      this.#held = rest.length;
      this.#start = 0;
    }
    this.#buffer.set(bytes, this.#held);
    this.#held += bytes.length;
  }
}

const follows = (next: FlacFrameHeader, header: FlacFrameHeader): boolean =>
  next.isNumberedBySample === header.isNumberedBySample &&
  next.number === header.number + (header.isNumberedBySample ? header.frames : 1);
