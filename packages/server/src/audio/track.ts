// What the containers hand to the codecs: a track, then its packets, each with the length it will have in frames.
import type { AacConfig } from './codecs/aac/config.ts';
import type { AlacConfig } from './codecs/alac-packet.ts';
import type { FlacInfo } from './codecs/flac-frame.ts';
import type { Mp3Config } from './codecs/mp3/mp3.ts';
import type { OpusHead } from './codecs/opus-packet.ts';
import type { SampleFormat } from './codecs/samples.ts';
import type { VorbisSetup } from './codecs/vorbis/setup.ts';
import type { NeedsBytes } from './containers/byte-queue.ts';

/** How the packets of a track are coded, with everything a decoder must know before the first one. */
export type Coding =
  | { readonly codec: 'pcm'; readonly format: SampleFormat; readonly sampleRateHz: number; readonly channels: number }
  | { readonly codec: 'ima-adpcm'; readonly sampleRateHz: number; readonly channels: number }
  | {
      readonly codec: 'ms-adpcm';
      readonly sampleRateHz: number;
      readonly channels: number;
      readonly coefficients: readonly (readonly [number, number])[];
    }
  | { readonly codec: 'opus'; readonly sampleRateHz: 48_000; readonly channels: number; readonly head: OpusHead }
  | { readonly codec: 'vorbis'; readonly sampleRateHz: number; readonly channels: number; readonly setup: VorbisSetup }
  | ({ readonly codec: 'aac' } & AacConfig)
  | {
      readonly codec: 'alac';
      readonly sampleRateHz: number;
      readonly channels: number;
      readonly config: AlacConfig;
    }
  | ({ readonly codec: 'mp3' } & Mp3Config)
  | { readonly codec: 'flac'; readonly sampleRateHz: number; readonly channels: number; readonly info: FlacInfo };

export interface Track {
  readonly kind: 'track';
  readonly coding: Coding;
  /** Frames at the start that only warm up the decoder. */
  readonly skipFrames: number;
}

export interface Packet {
  readonly kind: 'packet';
  readonly data: Uint8Array;
  /** Frames the packet decodes to at the track's rate, known without decoding it. */
  readonly frames: number;
  /** Frames at its end that are padding. */
  readonly discardFrames: number;
}

/**
 * A container being read: one or more tracks after each other (a chained Ogg has several), each followed by its
 * packets; NEEDS_BYTES when more bytes must arrive first. Throws a Refusal when there is nothing in it to decode.
 */
export type Demuxing = Generator<Track | Packet | NeedsBytes, void, void>;

export const packet = (data: Uint8Array, frames: number, discardFrames = 0): Packet => ({
  kind: 'packet',
  data,
  frames,
  discardFrames,
});
