// Writes FLAC frames with uncompressed samples, for files with exactly known content.
import { flacChecksum } from '../../src/audio/codecs/flac.ts';
import { ascii, concat } from './wav-writer.ts';

export const flacOggHeader = (sampleRateHz: number, channels: number, bitsPerSample: number): Uint8Array => {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(16, 0);
  info.writeUInt16BE(4096, 2);
  info.writeUInt32BE(sampleRateHz * 4096 + (channels - 1) * 512 + (bitsPerSample - 1) * 16, 10);
  return concat(
    Uint8Array.of(0x7f),
    ascii('FLAC'),
    Uint8Array.of(1, 0, 0, 1),
    ascii('fLaC'),
    Uint8Array.of(0x80, 0, 0, 34),
    info,
  );
};

/** A native file: stream info, then the given frames. */
export const nativeFlac = (
  sampleRateHz: number,
  channels: number,
  frames: readonly Uint8Array[],
  blocks: readonly Uint8Array[] = [],
): Uint8Array => {
  const info = flacOggHeader(sampleRateHz, channels, 16).slice(13);
  info[0] = blocks.length > 0 ? 0 : 0x80;
  return concat(ascii('fLaC'), info, ...blocks, ...frames);
};

const headerChecksum = (header: Uint8Array): number => {
  let crc = 0;
  for (const byte of header) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
};

const flacFrame = (subframes: readonly Uint8Array[], frames: number, number: number): Uint8Array => {
  const header = Buffer.alloc(8);
  header[0] = 0xff;
  header[1] = 0xf8;
  header[2] = 0x70;
  header[3] = ((subframes.length - 1) << 4) | (4 << 1);
  header[4] = number & 0x7f;
  header.writeUInt16BE(frames - 1, 5);
  header[7] = headerChecksum(header.subarray(0, 7));
  const frame = Buffer.from(concat(header, ...subframes, new Uint8Array(2)));
  frame.writeUInt16BE(flacChecksum(frame.subarray(0, -2)), frame.length - 2);
  return new Uint8Array(frame);
};

/** Frames of 16-bit samples; one array per channel. */
export const flacFrame16 = (channels: readonly Int16Array[], number: number): Uint8Array => {
  const frames = channels[0]!.length;
  const subframes = channels.map((samples) => {
    const body = Buffer.alloc(1 + 2 * frames);
    body[0] = 1 << 1;
    for (const [at, sample] of samples.entries()) body.writeInt16BE(sample, 1 + at * 2);
    return body;
  });
  return flacFrame(subframes, frames, number);
};

/** Many frames of silence in a few bytes. */
export const constantFlacFrame = (channels: number, frames: number, number: number): Uint8Array =>
  flacFrame(
    Array.from({ length: channels }, () => new Uint8Array(3)),
    frames,
    number,
  );
