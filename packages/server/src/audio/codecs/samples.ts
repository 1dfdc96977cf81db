// Reads uncompressed samples: integers of any width, floats, A-law and µ-law, in either byte order.

export interface SampleFormat {
  readonly kind: 'unsigned' | 'signed' | 'float' | 'alaw' | 'mulaw';
  /** Bytes per sample in the file. */
  readonly bytes: number;
  readonly bigEndian: boolean;
}

/** Limit on channels of uncompressed audio. */
export const CHANNELS_MAX = 64;

type ReadSample = (view: DataView, at: number) => number;

/** G.711 tables: byte to sample in -1..1. */
const alawTable = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 15) << 4) + 8;
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (bits & 0x80 ? size : -size) / 32_768;
});
const mulawTable = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const size = ((((bits & 15) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return (bits & 0x80 ? -size : size) / 32_768;
});

/** A float from a file may be NaN or infinite, which would corrupt everything that follows. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

const reader = ({ kind, bytes, bigEndian }: SampleFormat): ReadSample | undefined => {
  const little = !bigEndian;
  if (kind === 'alaw') return (view, at) => alawTable[view.getUint8(at)]!;
  if (kind === 'mulaw') return (view, at) => mulawTable[view.getUint8(at)]!;
  if (kind === 'float' && bytes === 4) return (view, at) => finite(view.getFloat32(at, little));
  if (kind === 'float' && bytes === 8) return (view, at) => finite(view.getFloat64(at, little));
  if (kind === 'unsigned' && bytes === 1) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (kind !== 'signed') return undefined;
  if (bytes === 1) return (view, at) => view.getInt8(at) / 128;
  if (bytes === 2) return (view, at) => view.getInt16(at, little) / 32_768;
  if (bytes === 3) {
    const [top, low] = little ? [2, 0] : [0, 1];
    return (view, at) => (view.getInt8(at + top) * 65_536 + view.getUint16(at + low, little)) / 8_388_608;
  }
  // Wider formats hold the sample in their upper bits: the top 32 exceed a float's precision.
  const top = little ? bytes - 4 : 0;
  if (bytes >= 4 && bytes <= 8) return (view, at) => view.getInt32(at + top, little) / 2_147_483_648;
  return undefined;
};

export const isReadable = (format: SampleFormat): boolean => reader(format) !== undefined;

/** Returns a function that converts interleaved bytes to one array per channel; an incomplete frame is dropped. */
export const sampleReader = (format: SampleFormat, channels: number): ((data: Uint8Array) => Float32Array[]) => {
  const read = reader(format);
  if (!read) throw new Error(`no reader for ${format.kind} samples of ${format.bytes} bytes`);
  const stride = format.bytes * channels;
  return (data) => {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const frames = Math.floor(data.length / stride);
    return Array.from({ length: channels }, (_, channel) => {
      const samples = new Float32Array(frames);
      for (let frame = 0, at = channel * format.bytes; frame < frames; frame++, at += stride) {
        samples[frame] = read(view, at);
      }
      return samples;
    });
  };
};
