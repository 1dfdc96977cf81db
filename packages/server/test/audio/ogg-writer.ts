// Writes ogg files page by page, with any positions and flags.
import { oggChecksum } from '../../src/audio/containers/ogg/page.ts';
import { ascii, concat } from './wav-writer.ts';

export interface PageShape {
  readonly serial?: number;
  readonly sequence: number;
  readonly granule: number;
  readonly flags?: 'first' | 'last' | 'none';
  /** Whether the first packet continues from the previous page. */
  readonly isContinued?: boolean;
  /** Whether the last packet continues in the next page; its length must then be a multiple of 255. */
  readonly isOpen?: boolean;
  readonly packets: readonly Uint8Array[];
}

const lacingOf = (packets: readonly Uint8Array[], isOpen: boolean): number[] =>
  packets.flatMap((packet, index) => {
    const full = Array<number>(Math.floor(packet.length / 255)).fill(255);
    return isOpen && index === packets.length - 1 ? full : [...full, packet.length % 255];
  });

export const oggPage = (shape: PageShape): Uint8Array => {
  const lacing = lacingOf(shape.packets, shape.isOpen ?? false);
  const header = Buffer.alloc(27);
  header.write('OggS', 'latin1');
  const flags = { first: 2, last: 4, none: 0 }[shape.flags ?? 'none'];
  header[5] = flags | (shape.isContinued ? 1 : 0);
  header.writeBigInt64LE(BigInt(shape.granule), 6);
  header.writeUInt32LE(shape.serial ?? 1, 14);
  header.writeUInt32LE(shape.sequence, 18);
  header[26] = lacing.length;
  const page = Buffer.from(concat(header, Uint8Array.from(lacing), ...shape.packets));
  page.writeUInt32LE(oggChecksum(page), 22);
  return new Uint8Array(page);
};

export interface OggShape {
  readonly serial?: number;
  readonly packetsPerPage?: number;
  /** Position of the last page; by default the sum of the packets. */
  readonly lastGranule?: number;
  /** Whether the last page is marked as the last. */
  readonly isEnded?: boolean;
}

/** Header packets on separate pages, then audio; `framesOf` gives each packet's length. */
export const writeOgg = (
  headers: readonly Uint8Array[],
  audio: readonly Uint8Array[],
  framesOf: (packet: Uint8Array) => number,
  { serial = 1, packetsPerPage = 10, lastGranule, isEnded = true }: OggShape = {},
): Uint8Array => {
  const pages = headers.map((packet, sequence) =>
    oggPage({ serial, sequence, granule: 0, flags: sequence === 0 ? 'first' : 'none', packets: [packet] }),
  );
  let granule = 0;
  for (let at = 0; at < audio.length; at += packetsPerPage) {
    const packets = audio.slice(at, at + packetsPerPage);
    granule += packets.reduce((sum, packet) => sum + framesOf(packet), 0);
    const isLast = at + packetsPerPage >= audio.length;
    pages.push(
      oggPage({
        serial,
        sequence: pages.length,
        granule: isLast ? (lastGranule ?? granule) : granule,
        flags: isLast && isEnded ? 'last' : 'none',
        packets,
      }),
    );
  }
  return concat(...pages);
};

export const opusHead = (channels = 1, preSkip = 312): Uint8Array => {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 'latin1');
  head[8] = 1;
  head[9] = channels;
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(48_000, 12);
  return new Uint8Array(head);
};
export const opusTags = (): Uint8Array => concat(ascii('OpusTags'), new Uint8Array(8));

/** 20 ms of silence, as an encoder writes it. */
export const OPUS_SILENCE_20_MS = Uint8Array.of(0xf8, 0xff, 0xfe);
/** 120 ms in two bytes: two empty frames of 60 ms. */
export const OPUS_NOTHING_120_MS = Uint8Array.of(0x1b, 0x02);

export const repeat = <T>(item: T, count: number): T[] => Array<T>(count).fill(item);

export const writeOggOpus = (
  audio: readonly Uint8Array[],
  framesOf: (packet: Uint8Array) => number,
  shape: OggShape & { channels?: number; preSkip?: number } = {},
): Uint8Array => writeOgg([opusHead(shape.channels, shape.preSkip), opusTags()], audio, framesOf, shape);
