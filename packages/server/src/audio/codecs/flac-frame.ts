// Parses FLAC stream info and frame headers (RFC 9639 sections 8.2 and 9.1), without decoding.

export interface FlacInfo {
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly bitsPerSample: number;
}

export interface FlacFrameHeader {
  readonly frames: number;
  readonly channels: number;
  /** How the two channels of a stereo frame are stored. */
  readonly stereo: 'independent' | 'left-side' | 'side-right' | 'mid-side';
  readonly bitsPerSample: number;
  readonly headerBytes: number;
  /** The frame number, or the number of its first sample in streams with a variable block size. */
  readonly number: number;
  readonly isNumberedBySample: boolean;
}

const STREAM_INFO_BYTES = 34;

/** Undefined when the values are invalid, or the samples have more than the supported 24 bits. */
export const parseFlacInfo = (streamInfo: Uint8Array): FlacInfo | undefined => {
  if (streamInfo.length < STREAM_INFO_BYTES) return undefined;
  const view = new DataView(streamInfo.buffer, streamInfo.byteOffset, streamInfo.byteLength);
  const packed = view.getUint32(10);
  const info = {
    sampleRateHz: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bitsPerSample: ((packed >>> 4) & 31) + 1,
  };
  return info.sampleRateHz > 0 && info.bitsPerSample >= 4 && info.bitsPerSample <= 24 ? info : undefined;
};

const SAMPLE_BITS = [0, 8, 12, undefined, 16, 20, 24, undefined];
const STEREO = ['left-side', 'side-right', 'mid-side'] as const;

/** Undefined when this is not a frame. */
export const parseFlacFrameHeader = (frame: Uint8Array, info: FlacInfo): FlacFrameHeader | undefined => {
  if (frame.length < 6 || frame[0] !== 0xff || (frame[1]! & 0xfe) !== 0xf8) return undefined;
  const frameCode = frame[2]! >> 4;
  const rateCode = frame[2]! & 15;
  const channelCode = frame[3]! >> 4;
  const sampleBits = SAMPLE_BITS[(frame[3]! >> 1) & 7];
  // The frame number follows in UTF-8 style: as many bytes as the first has leading ones.
  const leadingOnes = Math.clz32(~(frame[4]! << 24));
  const numberBytes = leadingOnes === 0 ? 1 : leadingOnes;
  if (sampleBits === undefined || channelCode > 10 || leadingOnes === 1 || leadingOnes > 7) return undefined;
  let at = 4 + numberBytes;
  const frames = framesOf(frameCode, frame, at);
  at += frameCode === 6 ? 1 : frameCode === 7 ? 2 : 0;
  at += rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0;
  if (frames === 0 || at + 1 > frame.length) return undefined;
  return {
    frames,
    channels: channelCode < 8 ? channelCode + 1 : 2,
    stereo: STEREO[channelCode - 8] ?? 'independent',
    bitsPerSample: sampleBits || info.bitsPerSample,
    headerBytes: at + 1,
    number: codedNumber(frame, numberBytes),
    isNumberedBySample: (frame[1]! & 1) === 1,
  };
};

/** Frames that a packet decodes to; 0 when it is not a FLAC frame. */
export const flacPacketFrames = (data: Uint8Array, info: FlacInfo): number =>
  parseFlacFrameHeader(data, info)?.frames ?? 0;

/** Decodes a number of up to 36 bits in UTF-8 style. */
const codedNumber = (frame: Uint8Array, bytes: number): number => {
  let number = bytes === 1 ? frame[4]! : frame[4]! & (0x7f >> bytes);
  for (let at = 5; at < 4 + bytes; at++) number = number * 64 + (frame[at]! & 0x3f);
  return number;
};

const headerCrcTable = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1;
  return crc;
});

export const isFlacHeaderIntact = (frame: Uint8Array, headerBytes: number): boolean => {
  let crc = 0;
  for (let at = 0; at < headerBytes; at++) crc = headerCrcTable[crc ^ frame[at]!]!;
  return crc === 0;
};

const framesOf = (code: number, frame: Uint8Array, at: number): number => {
  if (code === 0) return 0;
  if (code === 1) return 192;
  if (code < 6) return 576 << (code - 2);
  if (code === 6) return (frame[at] ?? -1) + 1;
  if (code === 7) return at + 1 < frame.length ? frame[at]! * 256 + frame[at + 1]! + 1 : 0;
  return 256 << (code - 8);
};
