// Parses the four-byte header of an MPEG audio frame (ISO/IEC 11172-3 section 2.4.1.3, with the low rates of 13818-3).

export interface Mp3Header {
  readonly layer: 1 | 2 | 3;
  /** MPEG-2 and the unofficial 2.5 have half and a quarter of the sample rates, and one granule per frame. */
  readonly version: '1' | '2' | '2.5';
  readonly sampleRateHz: number;
  readonly channels: 1 | 2;
  readonly hasChecksum: boolean;
  /** Mid and side instead of left and right. */
  readonly isMidSide: boolean;
  /** Intensity stereo: high bands stored once, with a direction. */
  readonly isIntensity: boolean;
  readonly frameBytes: number;
  /** Samples per channel. */
  readonly frames: number;
}

export const MP3_HEADER_BYTES = 4;

const VERSIONS = ['2.5', undefined, '2', '1'] as const;
const RATES_HZ = [44_100, 48_000, 32_000];
const KBITS_1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Undefined when no frame starts here, or when the frame declares no bit rate, so that its length is unknown. */
export const parseMp3Header = (data: Uint8Array, at = 0): Mp3Header | undefined => {
  if (at + MP3_HEADER_BYTES > data.length || data[at] !== 0xff || (data[at + 1]! & 0xe0) !== 0xe0) return undefined;
  const version = VERSIONS[(data[at + 1]! >> 3) & 3];
  const layerCode = (data[at + 1]! >> 1) & 3;
  const bitrateCode = data[at + 2]! >> 4;
  const rate = RATES_HZ[(data[at + 2]! >> 2) & 3];
  // The last two bits are the emphasis; one value is reserved.
  const isReserved = (data[at + 3]! & 3) === 2;
  if (!version || layerCode === 0 || rate === undefined || isReserved) return undefined;
  const kbits = (version === '1' ? KBITS_1 : KBITS_2)[bitrateCode - 1];
  if (kbits === undefined) return undefined;
  const sampleRateHz = version === '1' ? rate : version === '2' ? rate / 2 : rate / 4;
  const frames = version === '1' ? 1152 : 576;
  const padding = (data[at + 2]! >> 1) & 1;
  const mode = data[at + 3]! >> 6;
  return {
    layer: (4 - layerCode) as 1 | 2 | 3,
    version,
    sampleRateHz,
    channels: mode === 3 ? 1 : 2,
    hasChecksum: (data[at + 1]! & 1) === 0,
    isMidSide: mode === 1 && (data[at + 3]! & 0x20) !== 0,
    isIntensity: mode === 1 && (data[at + 3]! & 0x10) !== 0,
    frameBytes: Math.floor((frames * 125 * kbits) / sampleRateHz) + padding,
    frames,
  };
};

export const sideInfoBytes = ({ version, channels }: Mp3Header): number =>
  version === '1' ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;

/** Frames of a packet that is one MP3 frame at this rate; otherwise 0. */
export const mp3PacketFrames = (data: Uint8Array, sampleRateHz: number): number => {
  const header = parseMp3Header(data);
  return header?.layer === 3 && header.sampleRateHz === sampleRateHz ? header.frames : 0;
};
