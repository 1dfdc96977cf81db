// The Tracks element of a WebM file: finds the first audio track that can be decoded.
import { aacPacketFrames, parseAacConfig } from '../../codecs/aac/config.ts';
import { alacPacketFrames, parseAlacConfig } from '../../codecs/alac-packet.ts';
import { flacPacketFrames, parseFlacInfo } from '../../codecs/flac-frame.ts';
import { mp3PacketFrames } from '../../codecs/mp3/header.ts';
import { opusPacketFrames, parseOpusHead, plainOpusHead } from '../../codecs/opus-packet.ts';
import { CHANNELS_MAX, isReadable } from '../../codecs/samples.ts';
import { vorbisPacketFrames } from '../../codecs/vorbis/setup.ts';
import { unsupported } from '../../refusal.ts';
import type { Coding } from '../../track.ts';
import type { AudioFormats } from '../container.ts';
import { vorbisSetup } from '../ogg/codecs.ts';
import { printable } from '../read-bytes.ts';
import { xiphLaced } from './block.ts';
import { childrenOf, type Element, floatOf, textOf, unsignedOf } from './ebml.ts';

export interface WebmTrack {
  readonly number: number;
  readonly coding: Coding;
  readonly skipFrames: number;
  readonly framesOf: (data: Uint8Array) => number;
}

const ID = {
  TRACK_ENTRY: 0xae,
  NUMBER: 0xd7,
  TYPE: 0x83,
  CODEC: 0x86,
  CODEC_PRIVATE: 0x63a2,
  CODEC_DELAY: 0x56aa,
  ENCODINGS: 0x6d80,
  AUDIO: 0xe1,
  SAMPLE_RATE: 0xb5,
  CHANNELS: 0x9f,
  BIT_DEPTH: 0x6264,
};
const TYPE_AUDIO = 2;

interface Entry {
  readonly number: number;
  readonly codecId: string;
  readonly codecPrivate: Uint8Array;
  readonly codecDelayNs: number;
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly bitDepth: number;
  readonly isEncoded: boolean;
}

/** Throws a Refusal when there is no audio track, or none that can be decoded. */
export const firstAudioTrack = (tracks: Uint8Array, formats: AudioFormats): WebmTrack => {
  const entries = [...childrenOf(tracks)]
    .filter(({ id }) => id === ID.TRACK_ENTRY)
    .map(({ data }) => [...childrenOf(data)]);
  const audio = entries.filter((fields) => unsignedOf(find(fields, ID.TYPE)) === TYPE_AUDIO).map(entryOf);
  for (const entry of audio) {
    const track = entry.isEncoded
      ? undefined
      : (trackOf(entry) ?? (formats === 'all' ? matroskaTrack(entry) : undefined));
    if (track) return track;
  }
  const [first] = audio;
  if (!first) throw unsupported('The webm file has no audio track.');
  throw unsupported(
    first.isEncoded
      ? 'The audio track of the webm file is encrypted or additionally compressed, which is not supported.'
      : `The webm file has audio in the format ${printable(first.codecId).slice(0, 32) || '(unnamed)'}, which is not supported; Opus, Vorbis and PCM are.`,
  );
};

const find = (fields: readonly Element[], id: number): Uint8Array =>
  fields.find((field) => field.id === id)?.data ?? new Uint8Array(0);

const entryOf = (fields: readonly Element[]): Entry => {
  const audio = [...childrenOf(find(fields, ID.AUDIO))];
  return {
    number: unsignedOf(find(fields, ID.NUMBER)),
    codecId: textOf(find(fields, ID.CODEC)),
    codecPrivate: find(fields, ID.CODEC_PRIVATE),
    codecDelayNs: unsignedOf(find(fields, ID.CODEC_DELAY)),
    // Defaults of the Matroska specification.
    sampleRateHz: floatOf(find(audio, ID.SAMPLE_RATE)) || 8000,
    channels: unsignedOf(find(audio, ID.CHANNELS)) || 1,
    bitDepth: unsignedOf(find(audio, ID.BIT_DEPTH)),
    isEncoded: fields.some(({ id }) => id === ID.ENCODINGS),
  };
};

const trackOf = (entry: Entry): WebmTrack | undefined => {
  if (entry.codecId === 'A_OPUS') return opusTrack(entry);
  if (entry.codecId === 'A_VORBIS') return vorbisTrack(entry);
  if (entry.codecId.startsWith('A_PCM/')) return pcmTrack(entry);
  return undefined;
};

const opusTrack = ({ number, codecPrivate, codecDelayNs, channels }: Entry): WebmTrack | undefined => {
  const delayFrames = Math.round((codecDelayNs * 48_000) / 1e9);
  const head =
    codecPrivate.length > 0
      ? parseOpusHead(codecPrivate)
      : channels <= 2
        ? plainOpusHead(channels, delayFrames)
        : undefined;
  if (!head) return undefined;
  return {
    number,
    coding: { codec: 'opus', sampleRateHz: 48_000, channels: head.channels, head },
    skipFrames: head.preSkip || delayFrames,
    framesOf: opusPacketFrames,
  };
};

/** Codecs of Matroska that WebM does not have. */
const matroskaTrack = (entry: Entry): WebmTrack | undefined => {
  const { number, codecId, codecPrivate, codecDelayNs } = entry;
  const trackWith = (coding: Coding, framesOf: (data: Uint8Array) => number): WebmTrack => {
    const skipFrames = Math.round((codecDelayNs * coding.sampleRateHz) / 1e9);
    return { number, coding, skipFrames, framesOf };
  };
  if (codecId === 'A_AAC') {
    const config = parseAacConfig(codecPrivate);
    if (typeof config === 'string') return undefined;
    return trackWith({ codec: 'aac', ...config }, aacPacketFrames);
  }
  if (codecId === 'A_MPEG/L3') {
    const sampleRateHz = Math.round(entry.sampleRateHz);
    const { channels } = entry;
    if (channels > 2) return undefined;
    return trackWith({ codec: 'mp3', sampleRateHz, channels }, (data) => mp3PacketFrames(data, sampleRateHz));
  }
  if (codecId === 'A_FLAC') {
    // The FLAC signature and a block header precede the stream info.
    const info = parseFlacInfo(codecPrivate.subarray(8));
    if (!info) return undefined;
    const { sampleRateHz, channels } = info;
    return trackWith({ codec: 'flac', sampleRateHz, channels, info }, (data) => flacPacketFrames(data, info));
  }
  const config = codecId === 'A_ALAC' ? parseAlacConfig(codecPrivate) : undefined;
  if (!config) return undefined;
  const { sampleRateHz, channels } = config;
  return trackWith({ codec: 'alac', sampleRateHz, channels, config }, (data) => alacPacketFrames(data, config));
};

/** The private data holds the three Vorbis headers; the sizes of the first two are written as in Ogg. */
const vorbisTrack = ({ number, codecPrivate, codecDelayNs }: Entry): WebmTrack | undefined => {
  const headers = codecPrivate[0] === 2 ? xiphLaced(codecPrivate, 3) : undefined;
  const [identification, , setupHeader] = headers ?? [];
  if (!identification || !setupHeader) return undefined;
  const setup = vorbisSetup(identification, setupHeader);
  return {
    number,
    coding: { codec: 'vorbis', sampleRateHz: setup.sampleRateHz, channels: setup.channels, setup },
    skipFrames: Math.round((codecDelayNs * setup.sampleRateHz) / 1e9),
    framesOf: vorbisPacketFrames(setup),
  };
};

const pcmTrack = ({ number, codecId, sampleRateHz, channels, bitDepth }: Entry): WebmTrack | undefined => {
  const isFloat = codecId === 'A_PCM/FLOAT/IEEE';
  if (!isFloat && !codecId.startsWith('A_PCM/INT/')) return undefined;
  const bytes = Math.ceil((bitDepth || (isFloat ? 32 : 16)) / 8);
  const kind = isFloat ? 'float' : bytes === 1 ? 'unsigned' : 'signed';
  const format = { kind, bytes, bigEndian: codecId === 'A_PCM/INT/BIG' } as const;
  if (!isReadable(format) || channels > CHANNELS_MAX) return undefined;
  return {
    number,
    coding: { codec: 'pcm', format, sampleRateHz: Math.round(sampleRateHz), channels },
    skipFrames: 0,
    framesOf: (data) => Math.floor(data.length / (bytes * channels)),
  };
};
