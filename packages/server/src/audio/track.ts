// The data that containers pass to codecs: a track, then its packets, each with its length in frames.
import type { AacConfig } from './codecs/aac/config.ts';
import type { AlacConfig } from './codecs/alac-packet.ts';
import type { FlacInfo } from './codecs/flac-frame.ts';
import type { Mp3Config } from './codecs/mp3/mp3.ts';
import type { OpusHead } from './codecs/opus-packet.ts';
import type { SampleFormat } from './codecs/samples.ts';
import type { VorbisSetup } from './codecs/vorbis/setup.ts';
import type { NeedsBytes } from './containers/byte-queue.ts';

/** How the packets of a track are coded, with everything a decoder needs before the first one. */
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
  /** Frames at the start that only prime the decoder. */
  readonly skipFrames: number;
  /** The duration in the file's index, if the index comes before the packets. */
  readonly declaredSeconds?: number;
}

export interface Packet {
  readonly kind: 'packet';
  readonly data: Uint8Array;
  /** Frames that the packet decodes to at the track's rate, known without decoding. */
  readonly frames: number;
  /** Padding frames at the end. */
  readonly discardFrames: number;
}

/**
 * Reads a container: one or more tracks in sequence (a chained Ogg file has several), each followed by its packets;
 * NEEDS_BYTES when more bytes must arrive. Throws a Refusal when nothing in it can be decoded.
 */
export type Demuxing = Generator<Track | Packet | NeedsBytes, void, void>;

/** How many frames to discard from each packet, to cut the given number of frames from the end. */
export const discardsAtEnd = (lengths: readonly number[], frames: number): number[] => {
  const discards = lengths.map(() => 0);
  let left = frames;
  for (let index = lengths.length - 1; index >= 0 && left > 0; index--) {
    discards[index] = Math.min(left, lengths[index]!);
    left -= discards[index]!;
  }
  return discards;
};

export const packet = (data: Uint8Array, frames: number, discardFrames = 0): Packet => ({
  kind: 'packet',
  data,
  frames,
  discardFrames,
});

/** Copies a small packet, so that it does not keep its large chunk in memory. */
export const withoutSurroundings = (packet: Packet): Packet =>
  packet.data.length * 4 < packet.data.buffer.byteLength ? { ...packet, data: packet.data.slice() } : packet;
