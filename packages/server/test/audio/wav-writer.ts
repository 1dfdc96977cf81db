// Writes wav files in all variants that the tests need, including broken ones.

export interface WavShape {
  readonly riffId?: 'RIFF' | 'RIFX' | 'RF64';
  readonly formatTag?: number;
  readonly channels?: number;
  readonly sampleRateHz?: number;
  readonly bits?: number;
  /** Bytes per block; computed by default. */
  readonly blockBytes?: number;
  /** Bytes after the first sixteen of the fmt chunk. */
  readonly formatExtra?: Uint8Array;
  /** The size written for the data chunk; by default the actual one. */
  readonly declaredDataBytes?: number;
  /** Chunks between fmt and data. */
  readonly before?: readonly Uint8Array[];
  readonly after?: readonly Uint8Array[];
}

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
export const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

export const wavChunk = (id: string, body: Uint8Array, bigEndian = false, declaredBytes = body.length): Uint8Array => {
  const header = Buffer.alloc(8);
  header.write(id, 'latin1');
  if (bigEndian) header.writeUInt32BE(declaredBytes >>> 0, 4);
  else header.writeUInt32LE(declaredBytes >>> 0, 4);
  return concat(header, body, new Uint8Array(body.length % 2));
};

export const writeWav = (data: Uint8Array, shape: WavShape = {}): Uint8Array => {
  const { riffId = 'RIFF', formatTag = 1, channels = 1, sampleRateHz = 16_000, bits = 16 } = shape;
  const bigEndian = riffId === 'RIFX';
  const blockBytes = shape.blockBytes ?? (channels * bits) / 8;
  const fmt = Buffer.alloc(16);
  const u16 = (value: number, at: number) => (bigEndian ? fmt.writeUInt16BE(value, at) : fmt.writeUInt16LE(value, at));
  const u32 = (value: number, at: number) => (bigEndian ? fmt.writeUInt32BE(value, at) : fmt.writeUInt32LE(value, at));
  u16(formatTag, 0);
  u16(channels, 2);
  u32(sampleRateHz, 4);
  u32((sampleRateHz * blockBytes) >>> 0, 8);
  u16(blockBytes, 12);
  u16(bits, 14);
  const ds64 = Buffer.alloc(28);
  ds64.writeBigUInt64LE(BigInt(data.length), 8);
  const declared = shape.declaredDataBytes ?? (riffId === 'RF64' ? 0xff_ff_ff_ff : data.length);
  const body = concat(
    ascii('WAVE'),
    ...(riffId === 'RF64' ? [wavChunk('ds64', ds64)] : []),
    wavChunk('fmt ', concat(fmt, shape.formatExtra ?? new Uint8Array(0)), bigEndian),
    ...(shape.before ?? []),
    wavChunk('data', data, bigEndian, declared),
    ...(shape.after ?? []),
  );
  const header = Buffer.alloc(8);
  header.write(riffId, 'latin1');
  if (bigEndian) header.writeUInt32BE(body.length, 4);
  else header.writeUInt32LE(riffId === 'RF64' ? 0xff_ff_ff_ff : body.length, 4);
  return concat(header, body);
};

/** Samples in -1..1 as little-endian pcm16. */
export const pcm16Bytes = (samples: ArrayLike<number>): Uint8Array => {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let at = 0; at < samples.length; at++) {
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(samples[at]! * 32_768))), at * 2);
  }
  return new Uint8Array(bytes);
};

export const tone = (hz: number, seconds: number, sampleRateHz: number, size = 0.5): Float32Array =>
  Float32Array.from(
    { length: Math.round(seconds * sampleRateHz) },
    (_, at) => size * Math.sin((2 * Math.PI * hz * at) / sampleRateHz),
  );

/** A synthetic voice: a gliding pitch with overtones below 3 kHz, in syllables. */
export const babble = (seconds: number, sampleRateHz: number): Float32Array => {
  let phase = 0;
  return Float32Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, at) => {
    const time = at / sampleRateHz;
    phase += (2 * Math.PI * (140 + 40 * Math.sin(2.3 * time))) / sampleRateHz;
    const syllable = Math.max(0, Math.sin(9 * time)) ** 0.7;
    let sum = 0;
    for (let overtone = 1; overtone <= 15; overtone++) sum += Math.sin(overtone * phase) / overtone;
    return 0.25 * syllable * sum;
  });
};
