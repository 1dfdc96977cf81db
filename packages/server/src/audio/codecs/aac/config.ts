// Parses AAC configurations: AudioSpecificConfig (ISO/IEC 14496-3 section 1.6.2.1) and program config elements.
import { MsbBits } from '../bits-msb.ts';

export interface AacConfig {
  /** Rate of the core decoder; spectral band replication would double it. */
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** Samples per channel and frame. */
export const AAC_FRAMES = 1024;

export const aacPacketFrames = (data: Uint8Array): number => (data.length > 0 ? AAC_FRAMES : 0);

export const AAC_RATES_HZ = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
/** Channels by configuration; 0 when a program config element describes them. */
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 0, 8];

const TYPE_LOW_COMPLEXITY = 2;
const TYPE_BAND_REPLICATION = 5;
const TYPE_PARAMETRIC_STEREO = 29;
/** For error messages. */
const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'AAC Main',
  3: 'AAC SSR',
  4: 'AAC LTP',
  6: 'AAC Scalable',
  23: 'AAC-LD',
  36: 'MPEG-4 ALS',
  39: 'AAC-ELD',
  42: 'xHE-AAC',
};

/** The configuration, or the name of a format that is not supported. */
export const parseAacConfig = (data: Uint8Array): AacConfig | string => {
  try {
    return readConfig(new MsbBits(data));
  } catch {
    return 'AAC with a damaged configuration';
  }
};

const readConfig = (bits: MsbBits): AacConfig | string => {
  let type = readType(bits);
  const sampleRateHz = readRateHz(bits);
  const channelCode = bits.unsigned(4);
  if (type === TYPE_BAND_REPLICATION || type === TYPE_PARAMETRIC_STEREO) {
    // The rate with band replication, then the type of the core.
    readRateHz(bits);
    type = readType(bits);
  }
  if (type !== TYPE_LOW_COMPLEXITY) return TYPE_NAMES[type] ?? `MPEG-4 audio of type ${type}`;
  const hasShortFrames = bits.unsigned(1) === 1;
  if (hasShortFrames) return 'AAC with frames of 960 samples';
  if (bits.unsigned(1) === 1) bits.skip(14);
  bits.skip(1);
  const channels = CHANNELS[channelCode] || (channelCode === 0 ? readProgramChannels(bits) : 0);
  if (channels === 0 || bandRateIndex(sampleRateHz) === -1) return 'AAC with a damaged configuration';
  return { sampleRateHz, channels };
};

const readType = (bits: MsbBits): number => {
  const type = bits.unsigned(5);
  return type === 31 ? 32 + bits.unsigned(6) : type;
};

const readRateHz = (bits: MsbBits): number => {
  const index = bits.unsigned(4);
  return index === 15 ? bits.unsigned(24) : (AAC_RATES_HZ[index] ?? 0);
};

/** Rates between the listed ones use the tables of a neighbour (ISO/IEC 14496-3 table 4.82). */
const RATE_BOUNDS_HZ = [92_017, 75_132, 55_426, 46_009, 37_566, 27_713, 23_004, 18_783, 13_856, 11_502, 9391, 0];

/** Index of the band tables for a rate; -1 when the rate is invalid. */
export const bandRateIndex = (sampleRateHz: number): number =>
  sampleRateHz > 0 ? RATE_BOUNDS_HZ.findIndex((bound) => sampleRateHz >= bound) : -1;

/** Reads a program config element; returns its channel count. */
export const readProgramChannels = (bits: MsbBits): number => {
  bits.skip(10);
  const [front, side, back, lfe, associated, coupling] = [4, 4, 4, 2, 3, 4].map((count) => bits.unsigned(count));
  // Element numbers of mixdowns.
  if (bits.unsigned(1) === 1) bits.skip(4);
  if (bits.unsigned(1) === 1) bits.skip(4);
  if (bits.unsigned(1) === 1) bits.skip(3);
  let channels = lfe!;
  for (let left = front! + side! + back!; left > 0; left--) {
    channels += bits.unsigned(1) + 1;
    bits.skip(4);
  }
  bits.skip(4 * lfe! + 4 * associated! + 5 * coupling!);
  bits.align();
  const commentBytes = bits.unsigned(8);
  for (let left = commentBytes; left > 0; left--) bits.skip(8);
  return channels;
};
