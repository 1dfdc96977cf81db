// Writes WebM files element by element, with any sizes and lacings.
import { ascii, concat } from './wav-writer.ts';

/** A variable-length integer; eight bytes if requested, otherwise as short as possible. */
const vint = (value: number, bytes?: number): Uint8Array => {
  const length = bytes ?? [1, 2, 3, 4, 5, 6, 7, 8].find((count) => value < 2 ** (7 * count) - 1)!;
  const out = new Uint8Array(length);
  let rest = value;
  for (let at = length - 1; at >= 0; at--) {
    out[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  out[0]! |= 0x80 >> (length - 1);
  return out;
};

const idBytes = (id: number): Uint8Array =>
  Uint8Array.from(
    id
      .toString(16)
      .match(/../g)!
      .map((pair) => Number.parseInt(pair, 16)),
  );

export const element = (id: number, ...content: readonly Uint8Array[]): Uint8Array => {
  const body = concat(...content);
  return concat(idBytes(id), vint(body.length), body);
};
const openElement = (id: number, ...content: readonly Uint8Array[]): Uint8Array =>
  concat(idBytes(id), Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), ...content);

export const unsigned = (id: number, value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  const first = bytes.findIndex((byte) => byte !== 0);
  return element(id, bytes.subarray(first === -1 ? 7 : first));
};
const signed64 = (id: number, value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return element(id, bytes);
};
const float64 = (id: number, value: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
};

export interface TrackShape {
  readonly number?: number;
  readonly type?: number;
  readonly codec: string;
  readonly codecPrivate?: Uint8Array;
  readonly codecDelayNs?: number;
  readonly sampleRateHz?: number;
  readonly channels?: number;
  readonly bitDepth?: number;
}

export const trackEntry = (shape: TrackShape): Uint8Array =>
  element(
    0xae,
    unsigned(0xd7, shape.number ?? 1),
    unsigned(0x83, shape.type ?? 2),
    element(0x86, ascii(shape.codec)),
    ...(shape.codecPrivate ? [element(0x63a2, shape.codecPrivate)] : []),
    ...(shape.codecDelayNs ? [unsigned(0x56aa, shape.codecDelayNs)] : []),
    element(
      0xe1,
      float64(0xb5, shape.sampleRateHz ?? 48_000),
      unsigned(0x9f, shape.channels ?? 1),
      ...(shape.bitDepth ? [unsigned(0x6264, shape.bitDepth)] : []),
    ),
  );

export type Lacing = 'none' | 'xiph' | 'fixed' | 'ebml';

/** The content of a block: track, time, flags and packets. */
export const blockOf = (packets: readonly Uint8Array[], lacing: Lacing = 'none', track = 1): Uint8Array => {
  const flags = { none: 0, xiph: 1, fixed: 2, ebml: 3 }[lacing] << 1;
  const head = concat(vint(track), Uint8Array.of(0, 0, flags));
  if (lacing === 'none') return concat(head, ...packets);
  const sizes = packets.map((packet) => packet.length);
  const laced = { xiph: xiphSizes, ebml: ebmlSizes, fixed: () => [] as Uint8Array[] }[lacing](sizes.slice(0, -1));
  return concat(head, Uint8Array.of(packets.length - 1), ...laced, ...packets);
};

const xiphSizes = (sizes: readonly number[]): Uint8Array[] =>
  sizes.map((size) => Uint8Array.of(...Array<number>(Math.floor(size / 255)).fill(255), size % 255));

const ebmlSizes = (sizes: readonly number[]): Uint8Array[] =>
  sizes.map((size, index) => (index === 0 ? vint(size, 2) : vint(size - sizes[index - 1]! + 2 ** 13 - 1, 2)));

export const simpleBlock = (packets: readonly Uint8Array[], lacing?: Lacing, track?: number): Uint8Array =>
  element(0xa3, blockOf(packets, lacing, track));
export const blockGroup = (packets: readonly Uint8Array[], discardPaddingNs?: number): Uint8Array =>
  element(
    0xa0,
    element(0xa1, blockOf(packets)),
    ...(discardPaddingNs === undefined ? [] : [signed64(0x75a2, discardPaddingNs)]),
  );

export const ebmlHeader = (docType = 'webm'): Uint8Array =>
  element(0x1a45dfa3, unsigned(0x4286, 1), element(0x4282, ascii(docType)));
export const tracks = (...entries: readonly Uint8Array[]): Uint8Array => element(0x1654ae6b, ...entries);
export const segment = (...content: readonly Uint8Array[]): Uint8Array => element(0x18538067, ...content);
export const cluster = (...blocks: readonly Uint8Array[]): Uint8Array =>
  element(0x1f43b675, unsigned(0xe7, 0), ...blocks);
export const liveSegment = (...content: readonly Uint8Array[]): Uint8Array => openElement(0x18538067, ...content);
export const liveCluster = (...blocks: readonly Uint8Array[]): Uint8Array =>
  openElement(0x1f43b675, unsigned(0xe7, 0), ...blocks);
