// Writes Core Audio files.
import { ascii, concat } from './wav-writer.ts';

export const cafChunk = (id: string, body: Uint8Array, declaredBytes = body.length): Uint8Array => {
  const header = Buffer.alloc(12);
  header.write(id, 'latin1');
  header.writeBigInt64BE(BigInt(declaredBytes), 4);
  return concat(header, body);
};

export interface CafShape {
  readonly format: string;
  readonly sampleRateHz?: number;
  readonly flags?: number;
  readonly channels?: number;
  readonly bits?: number;
}

export const cafStart = (shape: CafShape): Uint8Array => {
  const { format, sampleRateHz = 16_000, flags = 0, channels = 1, bits = 0 } = shape;
  const description = Buffer.alloc(32);
  description.writeDoubleBE(sampleRateHz, 0);
  description.write(format, 8, 'latin1');
  description.writeUInt32BE(flags, 12);
  description.writeUInt32BE(channels, 24);
  description.writeUInt32BE(bits, 28);
  return concat(ascii('caff'), Uint8Array.of(0, 1, 0, 0), cafChunk('desc', description));
};

export const cafData = (data: Uint8Array, declaredBytes?: number): Uint8Array =>
  cafChunk('data', concat(new Uint8Array(4), data), declaredBytes);

/** Sizes below 128 take one byte each. */
export const cafPackets = (packets: readonly Uint8Array[], skipFrames: number, paddingFrames: number): Uint8Array => {
  const table = Buffer.alloc(24);
  table.writeBigInt64BE(BigInt(packets.length), 0);
  table.writeInt32BE(skipFrames, 16);
  table.writeInt32BE(paddingFrames, 20);
  return cafChunk(
    'pakt',
    concat(
      table,
      Uint8Array.from(packets, (packet) => packet.length),
    ),
  );
};
