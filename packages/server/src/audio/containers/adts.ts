// Reads ADTS files (ISO/IEC 14496-3 section 1.A.3.2): AAC packets, each with its own header.

import { AAC_FRAMES, AAC_RATES_HZ, readProgramChannels } from '../codecs/aac/config.ts';
import { MsbBits } from '../codecs/bits-msb.ts';
import { unsupported } from '../refusal.ts';
import { type Demuxing, packet } from '../track.ts';
import type { ByteQueue } from './byte-queue.ts';
import type { Container } from './container.ts';
import { FrameSearch, TRACKS_MAX } from './frame-search.ts';

interface AdtsHeader {
  readonly frameBytes: number;
  readonly headerBytes: number;
  readonly profile: number;
  readonly sampleRateHz: number;
  readonly channelCode: number;
  readonly blocks: number;
}

const HEADER_BYTES = 7;
const PROFILE_LOW_COMPLEXITY = 1;
const PROFILE_NAMES = ['AAC Main', 'AAC-LC', 'AAC SSR', 'AAC LTP'];
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];

const isAdtsSync = (start: Uint8Array): boolean => start[0] === 0xff && (start[1]! & 0xf6) === 0xf0;

const parseAdtsHeader = (data: Uint8Array, at = 0): AdtsHeader | undefined => {
  if (at + HEADER_BYTES > data.length || !isAdtsSync(data.subarray(at, at + 2))) return undefined;
  const sampleRateHz = AAC_RATES_HZ[(data[at + 2]! >> 2) & 15];
  const headerBytes = data[at + 1]! & 1 ? HEADER_BYTES : HEADER_BYTES + 2;
  const frameBytes = ((data[at + 3]! & 3) << 11) | (data[at + 4]! << 3) | (data[at + 5]! >> 5);
  if (sampleRateHz === undefined || frameBytes <= headerBytes) return undefined;
  return {
    frameBytes,
    headerBytes,
    profile: data[at + 2]! >> 6,
    sampleRateHz,
    channelCode: ((data[at + 2]! & 1) << 2) | (data[at + 3]! >> 6),
    blocks: (data[at + 6]! & 3) + 1,
  };
};

const isSameStream = (a: AdtsHeader, b: AdtsHeader): boolean =>
  a.profile === b.profile && a.sampleRateHz === b.sampleRateHz && a.channelCode === b.channelCode;

function* demuxAdts(bytes: ByteQueue): Demuxing {
  const search = new FrameSearch(bytes, { headerBytes: HEADER_BYTES, parse: parseAdtsHeader, isSameStream });
  let track: AdtsHeader | undefined;
  for (let tracks = 0; ; ) {
    const header = yield* search.next();
    if (!header) break;
    const data = bytes.take(header.frameBytes).subarray(header.headerBytes);
    if (!track || !isSameStream(header, track)) {
      if (header.profile !== PROFILE_LOW_COMPLEXITY) {
        throw unsupported(`The file holds ${PROFILE_NAMES[header.profile]}, which is not supported; AAC-LC is.`);
      }
      const channels = CHANNELS[header.channelCode] || channelsWithin(data);
      if (channels === 0) throw unsupported('The AAC file does not declare its channels.');
      if (++tracks > TRACKS_MAX) break;
      track = header;
      yield { kind: 'track', coding: { codec: 'aac', sampleRateHz: header.sampleRateHz, channels }, skipFrames: 0 };
    }
    // Encoders write one block per frame; further blocks could only be located with the optional checksum.
    if (header.blocks === 1) yield packet(data, AAC_FRAMES);
  }
  if (!track) throw unsupported('The file holds no AAC audio that can be decoded.');
}

export const adtsContainer: Container = {
  name: 'an AAC file',
  isInContract: false,
  sniff: isAdtsSync,
  demux: demuxAdts,
};

const ELEMENT_PROGRAM = 5;

/** Without a channel configuration, the first element describes the channels. */
const channelsWithin = (data: Uint8Array): number => {
  try {
    const bits = new MsbBits(data);
    return bits.unsigned(3) === ELEMENT_PROGRAM ? readProgramChannels(bits) : 0;
  } catch {
    return 0;
  }
};
