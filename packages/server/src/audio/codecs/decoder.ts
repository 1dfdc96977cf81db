// One decoder per track: packets in, one array of samples per channel out.
import type { Coding } from '../track.ts';
import { imaAdpcm, msAdpcm } from './adpcm.ts';
import { openFlac } from './flac.ts';
import { openOpus } from './opus.ts';
import { sampleReader } from './samples.ts';
import { openVorbis } from './vorbis/vorbis.ts';

export interface PacketDecoder {
  /** Rate of what comes out; not always the track's own. */
  readonly outputRateHz: number;
  /** Throws when the packet cannot be decoded; the next one may work again. */
  decode(data: Uint8Array): Float32Array[];
  free(): void;
}

export const openDecoder = async (coding: Coding): Promise<PacketDecoder> => {
  switch (coding.codec) {
    case 'pcm':
      return stateless(coding.sampleRateHz, sampleReader(coding.format, coding.channels));
    case 'ima-adpcm':
      return stateless(coding.sampleRateHz, imaAdpcm(coding.channels).decode);
    case 'ms-adpcm':
      return stateless(coding.sampleRateHz, msAdpcm(coding.channels, coding.coefficients).decode);
    case 'opus':
      return openOpus(coding.head);
    case 'vorbis':
      return openVorbis(coding.setup);
    case 'flac':
      return openFlac(coding.info);
  }
};

const stateless = (outputRateHz: number, decode: (data: Uint8Array) => Float32Array[]): PacketDecoder => ({
  outputRateHz,
  decode,
  free: () => undefined,
});
