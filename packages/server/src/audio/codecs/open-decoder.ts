// Opens the decoder for a track.
import type { Track } from '../track.ts';
import { openAac } from './aac/aac.ts';
import { imaAdpcm, msAdpcm } from './adpcm.ts';
import { openAlac } from './alac.ts';
import { openFlac } from './flac.ts';
import { openMp3 } from './mp3/mp3.ts';
import { openOpus } from './opus.ts';
import type { PacketDecoder } from './packet-decoder.ts';
import { sampleReader } from './samples.ts';
import { openVorbis } from './vorbis/vorbis.ts';

export const openDecoder = async ({ coding, skipFrames }: Track): Promise<PacketDecoder> => {
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
    case 'aac':
      return openAac(coding);
    case 'alac':
      return openAlac(coding.config);
    case 'mp3':
      return openMp3(coding, skipFrames);
    case 'flac':
      return openFlac(coding.info);
  }
};

const stateless = (outputRateHz: number, decode: (data: Uint8Array) => Float32Array[]): PacketDecoder => ({
  outputRateHz,
  decode,
  free: () => undefined,
});
