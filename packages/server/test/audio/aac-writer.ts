// Writes AAC: a silent packet, ADTS frames, and MP4 configurations.
import { concat } from './wav-writer.ts';

/** One channel without bands, and the end marker: 1024 frames of silence. */
export const AAC_SILENCE = Uint8Array.of(0, 0, 0, 7);

const RATES_HZ = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000];

export const adtsFrame = (packet: Uint8Array, sampleRateHz = 16_000, channels = 1, profile = 1): Uint8Array => {
  const size = 7 + packet.length;
  const rate = RATES_HZ.indexOf(sampleRateHz);
  return concat(
    Uint8Array.of(
      0xff,
      0xf1,
      (profile << 6) | (rate << 2) | (channels >> 2),
      ((channels & 3) << 6) | (size >> 11),
      (size >> 3) & 0xff,
      ((size & 7) << 5) | 0x1f,
      0xfc,
    ),
    packet,
  );
};

const bytesOf = (bits: string): Uint8Array =>
  Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).padEnd(8, '0'), 2),
  );
const number = (value: number, bits: number): string => value.toString(2).padStart(bits, '0');

export const aacConfig = (sampleRateHz: number, channels: number, type = 2): Uint8Array =>
  bytesOf([number(type, 5), number(RATES_HZ.indexOf(sampleRateHz), 4), number(channels, 4), '000'].join(''));

/** A core with band replication to twice its rate. */
export const heAacConfig = (coreRateHz: number, channels: number): Uint8Array =>
  bytesOf(
    [
      number(5, 5),
      number(RATES_HZ.indexOf(coreRateHz), 4),
      number(channels, 4),
      number(RATES_HZ.indexOf(2 * coreRateHz), 4),
      number(2, 5),
      '000',
    ].join(''),
  );
