// Parses the sample entries of MP4 and QuickTime: how the audio of a track is coded.
import { aacPacketFrames, parseAacConfig } from '../../codecs/aac/config.ts';
import { alacPacketFrames, parseAlacConfig } from '../../codecs/alac-packet.ts';
import { flacPacketFrames, parseFlacInfo } from '../../codecs/flac-frame.ts';
import { mp3PacketFrames } from '../../codecs/mp3/header.ts';
import { opusPacketFrames, parseOpusHead } from '../../codecs/opus-packet.ts';
import { CHANNELS_MAX, isReadable, type SampleFormat } from '../../codecs/samples.ts';
import type { Coding } from '../../track.ts';
import { sampleFormatOf } from '../aiff.ts';
import { printable, textAt, viewOf } from '../read-bytes.ts';
import { type Box, boxesIn, findBox } from './boxes.ts';
import { parseElementaryStream } from './elementary-stream.ts';

export interface EntryCoding {
  readonly coding: Coding;
  /** Frames at the start that only prime the decoder, unless an edit list overrides it. */
  readonly skipFrames: number;
  readonly framesOf: (data: Uint8Array) => number;
  /** For uncompressed audio. */
  readonly bytesPerFrame?: number;
}

interface Entry {
  readonly type: string;
  readonly channels: number;
  readonly bits: number;
  readonly sampleRateHz: number;
  /** Flags of uncompressed audio in version 2 of QuickTime's entry. */
  readonly pcmFlags: number | undefined;
  readonly boxes: readonly Box[];
}

/** Codecs that are not supported, for error messages. */
const NAMES: Readonly<Record<string, string>> = {
  enca: 'encrypted audio',
  drms: 'encrypted audio',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  'ac-4': 'AC-4',
  dtsc: 'DTS',
  samr: 'AMR',
  sawb: 'AMR-WB',
  sqcp: 'QCELP',
  ima4: 'IMA ADPCM',
  agsm: 'GSM',
  QDM2: 'QDesign Music',
};

/** How to decode the first sample entry, or the name of a format that is not supported. */
export const parseSampleEntry = (stsd: Uint8Array): EntryCoding | string => {
  const [first] = boxesIn(stsd, 8);
  const entry = first && readEntry(first);
  if (!entry) return 'audio without a description';
  return codingOf(entry) ?? NAMES[entry.type] ?? `audio in the format "${printable(entry.type)}"`;
};

/** Sample entries are small; the rest of a longer one is ignored. */
const ENTRY_BYTES_MAX = 64 * 1024;

const readEntry = ({ type, data: whole }: Box): Entry | undefined => {
  const data = whole.subarray(0, ENTRY_BYTES_MAX);
  if (data.length < 28) return undefined;
  const view = viewOf(data);
  const version = view.getUint16(8);
  const boxesFrom = (at: number): readonly Box[] => {
    const boxes = [...boxesIn(data, at)];
    // QuickTime nests the codec's boxes in a `wave` box.
    const wave = boxes.find((box) => box.type === 'wave');
    return wave ? [...boxes, ...boxesIn(wave.data)] : boxes;
  };
  if (version === 2 && data.length >= 64) {
    return {
      type,
      sampleRateHz: view.getFloat64(32),
      channels: view.getUint32(40),
      bits: view.getUint32(48),
      pcmFlags: view.getUint32(52),
      boxes: boxesFrom(64),
    };
  }
  return {
    type,
    sampleRateHz: view.getUint16(24),
    channels: view.getUint16(16),
    bits: view.getUint16(18),
    pcmFlags: undefined,
    boxes: boxesFrom(version === 1 ? 44 : 28),
  };
};

const codingOf = (entry: Entry): EntryCoding | string | undefined => {
  switch (entry.type) {
    case 'mp4a':
      return elementaryCoding(entry);
    case 'Opus':
      return opusCoding(entry);
    case 'fLaC':
      return flacCoding(entry);
    case 'alac':
      return alacCoding(entry);
    case '.mp3':
      return mp3Coding(entry);
    default:
      return pcmCoding(entry);
  }
};

const contentOf = ({ boxes }: Entry, type: string): Uint8Array | undefined =>
  boxes.find((box) => box.type === type)?.data;

const AAC_TYPES = new Set([0x40, 0x66, 0x67, 0x68]);
const MP3_TYPES = new Set([0x69, 0x6b]);

const elementaryCoding = (entry: Entry): EntryCoding | string | undefined => {
  const esds = contentOf(entry, 'esds');
  const stream = esds && parseElementaryStream(esds.subarray(4));
  if (!stream) return undefined;
  if (MP3_TYPES.has(stream.objectType)) return mp3Coding(entry);
  if (!AAC_TYPES.has(stream.objectType)) return `MPEG-4 audio of type ${stream.objectType}`;
  const config = parseAacConfig(stream.config);
  if (typeof config === 'string') return config;
  return {
    coding: { codec: 'aac', ...config },
    skipFrames: 0,
    framesOf: aacPacketFrames,
  };
};

const mp3Coding = ({ sampleRateHz, channels }: Entry): EntryCoding | undefined => {
  if (channels !== 1 && channels !== 2) return undefined;
  return {
    coding: { codec: 'mp3', sampleRateHz, channels },
    skipFrames: 0,
    framesOf: (data) => mp3PacketFrames(data, sampleRateHz),
  };
};

/** The same fields as in Ogg, in big-endian order. */
const opusCoding = (entry: Entry): EntryCoding | undefined => {
  const specific = contentOf(entry, 'dOps');
  if (!specific || specific.length < 11) return undefined;
  const view = viewOf(specific);
  const packet = new Uint8Array(8 + specific.length);
  packet.set(new TextEncoder().encode('OpusHead'));
  packet.set(specific, 8);
  const target = viewOf(packet);
  target.setUint16(10, view.getUint16(2), true);
  target.setUint32(12, view.getUint32(4), true);
  target.setInt16(16, view.getInt16(8), true);
  const head = parseOpusHead(packet);
  if (!head) return undefined;
  return {
    coding: { codec: 'opus', sampleRateHz: 48_000, channels: head.channels, head },
    skipFrames: head.preSkip,
    framesOf: opusPacketFrames,
  };
};

/** A four-byte block header precedes the stream info. */
const flacCoding = (entry: Entry): EntryCoding | undefined => {
  const info = parseFlacInfo(contentOf(entry, 'dfLa')?.subarray(8) ?? new Uint8Array(0));
  if (!info) return undefined;
  const { sampleRateHz, channels } = info;
  return {
    coding: { codec: 'flac', sampleRateHz, channels, info },
    skipFrames: 0,
    framesOf: (data) => flacPacketFrames(data, info),
  };
};

const alacCoding = (entry: Entry): EntryCoding | undefined => {
  const config = parseAlacConfig(contentOf(entry, 'alac')?.subarray(4) ?? new Uint8Array(0));
  if (!config) return undefined;
  const { sampleRateHz, channels } = config;
  return {
    coding: { codec: 'alac', sampleRateHz, channels, config },
    skipFrames: 0,
    framesOf: (data) => alacPacketFrames(data, config),
  };
};

const PCM_FLAG = { FLOAT: 1, BIG_ENDIAN: 2, SIGNED: 4 };

const pcmCoding = (entry: Entry): EntryCoding | undefined => {
  const format = pcmFormatOf(entry);
  const channels = entry.channels;
  const sampleRateHz = Math.round(entry.sampleRateHz);
  if (!format || !isReadable(format) || channels === 0 || channels > CHANNELS_MAX) return undefined;
  return {
    coding: { codec: 'pcm', format, sampleRateHz, channels },
    skipFrames: 0,
    framesOf: (data) => Math.floor(data.length / (format.bytes * channels)),
    bytesPerFrame: format.bytes * channels,
  };
};

const pcmFormatOf = (entry: Entry): SampleFormat | undefined => {
  const { type, bits, pcmFlags = 0 } = entry;
  const bytes = Math.ceil(bits / 8);
  if (type === 'lpcm') {
    const kind = pcmFlags & PCM_FLAG.FLOAT ? 'float' : pcmFlags & PCM_FLAG.SIGNED ? 'signed' : 'unsigned';
    return { kind, bytes, bigEndian: (pcmFlags & PCM_FLAG.BIG_ENDIAN) !== 0 };
  }
  if (type === 'ipcm' || type === 'fpcm') {
    const config = contentOf(entry, 'pcmC');
    if (!config || config.length < 6) return undefined;
    const kind = type === 'fpcm' ? 'float' : 'signed';
    return { kind, bytes: Math.ceil(config[5]! / 8), bigEndian: (config[4]! & 1) === 0 };
  }
  const format = sampleFormatOf(type, bits);
  const order = contentOf(entry, 'enda');
  return format && order?.[1] === 1 ? { ...format, bigEndian: false } : format;
};

export const isAudioTrack = (trak: Uint8Array): boolean => {
  const handler = findBox(trak, 'mdia', 'hdlr');
  return handler !== undefined && handler.length >= 12 && textAt(handler, 8) === 'soun';
};
