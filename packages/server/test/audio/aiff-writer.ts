// Writes AIFF and AIFC files.
import { ascii, concat, wavChunk } from './wav-writer.ts';

export interface AiffShape {
  readonly channels?: number;
  readonly sampleRateHz?: number;
  readonly bits?: number;
  /** Makes it AIFC. */
  readonly coding?: string;
  readonly before?: readonly Uint8Array[];
  readonly declaredDataBytes?: number;
}

/** The rate as an 80-bit float. */
const extended = (value: number): Uint8Array => {
  const exponent = Math.floor(Math.log2(value));
  const bytes = Buffer.alloc(10);
  bytes.writeUInt16BE(16_383 + exponent, 0);
  bytes.writeBigUInt64BE(BigInt(Math.round(value * 2 ** (31 - exponent))) << 32n, 2);
  return new Uint8Array(bytes);
};

export const writeAiff = (data: Uint8Array, shape: AiffShape = {}): Uint8Array => {
  const { channels = 1, sampleRateHz = 16_000, bits = 16, coding, before = [] } = shape;
  const common = Buffer.alloc(8);
  common.writeUInt16BE(channels, 0);
  common.writeUInt32BE(Math.floor(data.length / Math.max(1, (channels * bits) / 8)), 2);
  common.writeUInt16BE(bits, 6);
  const name = coding === undefined ? new Uint8Array(0) : concat(ascii(coding), Uint8Array.of(0, 0));
  const content = concat(
    ascii(coding === undefined ? 'AIFF' : 'AIFC'),
    ...before,
    wavChunk('COMM', concat(common, extended(sampleRateHz), name), true),
    wavChunk('SSND', concat(new Uint8Array(8), data), true, shape.declaredDataBytes ?? data.length + 8),
  );
  return wavChunk('FORM', content, true);
};
