// The codecs of Ogg: recognises each by its first packet and reads its header packets.
import { flacPacketFrames, parseFlacInfo } from '../../codecs/flac-frame.ts';
import { isOpusHead, opusPacketFrames, parseOpusHead } from '../../codecs/opus-packet.ts';
import {
  isVorbisIdentification,
  parseVorbisSetup,
  type VorbisSetup,
  vorbisPacketFrames,
} from '../../codecs/vorbis/setup.ts';
import { unsupported } from '../../refusal.ts';
import type { Coding } from '../../track.ts';
import { textAt } from '../read-bytes.ts';

/** Reads the headers of one logical stream. */
export interface OggCodec {
  /** Takes header packets one by one and returns the track with the last. Throws a Refusal when they are invalid. */
  header(data: Uint8Array): OggTrack | undefined;
}

export interface OggTrack {
  readonly coding: Coding;
  readonly preSkipFrames: number;
  /** Whether to cut the frames by which the first page exceeds its position. */
  readonly mayStartEarly: boolean;
  isHeader(data: Uint8Array): boolean;
  /** Frames of each packet; must be called in order. */
  readonly framesOf: (data: Uint8Array) => number;
}

const hasText = (data: Uint8Array, at: number, expected: string): boolean =>
  textAt(data, at, expected.length) === expected;

const opus = (): OggCodec => {
  let head: ReturnType<typeof parseOpusHead>;
  return {
    header(data) {
      if (!head) {
        head = parseOpusHead(data);
        if (!head) throw unsupported('The Opus header of the ogg file is invalid.');
        return undefined;
      }
      // The second packet is OpusTags; its content does not matter.
      return {
        coding: { codec: 'opus', sampleRateHz: 48_000, channels: head.channels, head },
        preSkipFrames: head.preSkip,
        mayStartEarly: false,
        isHeader: () => false,
        framesOf: opusPacketFrames,
      };
    },
  };
};

const vorbis = (): OggCodec => {
  const headers: Uint8Array[] = [];
  return {
    header(data) {
      const [identification] = headers;
      if (headers.push(data) < 3 || !identification) return undefined;
      const setup = vorbisSetup(identification, data);
      return {
        coding: { codec: 'vorbis', sampleRateHz: setup.sampleRateHz, channels: setup.channels, setup },
        preSkipFrames: 0,
        mayStartEarly: true,
        isHeader: (packet) => (packet[0]! & 1) === 1,
        framesOf: vorbisPacketFrames(setup),
      };
    },
  };
};

export const vorbisSetup = (identification: Uint8Array, setup: Uint8Array): VorbisSetup => {
  try {
    return parseVorbisSetup(identification, setup);
  } catch {
    throw unsupported('The Vorbis headers of the file are damaged.');
  }
};

/** Thirteen bytes of mapping and a block header precede the stream info. */
const FLAC_INFO_AT = 17;

const flac = (): OggCodec => ({
  header(data) {
    const info = parseFlacInfo(data.subarray(FLAC_INFO_AT));
    if (!info) throw unsupported('The FLAC header of the ogg file is invalid, or its samples have more than 24 bits.');
    return {
      coding: { codec: 'flac', sampleRateHz: info.sampleRateHz, channels: info.channels, info },
      preSkipFrames: 0,
      mayStartEarly: false,
      // More headers follow; only frames start with the sync code.
      isHeader: (packet) => packet[0] !== 0xff,
      framesOf: (packet) => flacPacketFrames(packet, info),
    };
  },
});

/** The codec that the first packet of a logical stream announces; undefined when it is not supported. */
export const oggCodecOf = (firstPacket: Uint8Array): OggCodec | undefined => {
  if (isOpusHead(firstPacket)) return opus();
  if (isVorbisIdentification(firstPacket)) return vorbis();
  if (hasText(firstPacket, 0, '\x7fFLAC')) return flac();
  return undefined;
};

const OTHERS: readonly (readonly [number, string, string])[] = [
  [0, 'Speex   ', 'Speex'],
  [1, 'theora', 'Theora video'],
  [0, 'CELT    ', 'CELT'],
  [0, 'PCM     ', 'OggPCM'],
  [0, 'BBCD', 'Dirac video'],
  [1, 'video', 'OGM video'],
];

/** The name of a known but unsupported codec, for error messages. */
export const otherOggCodecName = (firstPacket: Uint8Array): string | undefined =>
  OTHERS.find(([at, magic]) => hasText(firstPacket, at, magic))?.[2];
