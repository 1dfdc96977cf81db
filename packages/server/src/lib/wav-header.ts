// The header of a wav file.

const FORMAT_TAGS = { signed: 1, unsigned: 1, float: 3, alaw: 6, mulaw: 7 } as const;
const OPEN_LENGTH = 0xffffffff;

export interface WavSamples {
  readonly format: { readonly kind: keyof typeof FORMAT_TAGS; readonly bytes: number };
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** `dataBytes` is left out while the length is not known. */
export const wavHeader = ({ format, sampleRateHz, channels }: WavSamples, dataBytes?: number): Buffer<ArrayBuffer> => {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(dataBytes === undefined ? OPEN_LENGTH : 36 + dataBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(FORMAT_TAGS[format.kind], 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * channels * format.bytes, 28);
  header.writeUInt16LE(channels * format.bytes, 32);
  header.writeUInt16LE(8 * format.bytes, 34);
  header.write('data', 36);
  header.writeUInt32LE(dataBytes ?? OPEN_LENGTH, 40);
  return header;
};
