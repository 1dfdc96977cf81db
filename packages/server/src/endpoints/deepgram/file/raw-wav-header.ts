// A wav header for raw samples, so that they are decoded like any file.
import type { RawAudio } from '../parameters.ts';

const FORMAT_TAGS = { signed: 1, unsigned: 1, float: 3, alaw: 6, mulaw: 7 } as const;
/** The length is not known yet. */
const OPEN_LENGTH = 0xffffffff;

export const rawWavHeader = ({ format, sampleRateHz, channels }: RawAudio): Buffer => {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(OPEN_LENGTH, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(FORMAT_TAGS[format.kind], 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * channels * format.bytes, 28);
  header.writeUInt16LE(channels * format.bytes, 32);
  header.writeUInt16LE(8 * format.bytes, 34);
  header.write('data', 36);
  header.writeUInt32LE(OPEN_LENGTH, 40);
  return header;
};
