// Writes MP4 files box by box, with the index before or after the media or in fragments, valid or not.
import { ascii, concat } from './wav-writer.ts';

export const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const body = concat(...content);
  return concat(u32(8 + body.length), ascii(type), body);
};
const fullBox = (type: string, flags: number, ...content: readonly Uint8Array[]): Uint8Array =>
  box(type, u32(flags), ...content);
export const u32 = (...values: readonly number[]): Uint8Array => u32List(values);
/** For tables too long to pass as arguments. */
const u32List = (values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index);
  return new Uint8Array(bytes);
};
const u16 = (...values: readonly number[]): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => [value >> 8, value & 255]));

export const ftyp = (): Uint8Array => box('ftyp', ascii('M4A '), u32(0), ascii('isom'));

export const sampleEntry = (
  type: string,
  { channels = 1, bits = 16, sampleRateHz = 48_000 },
  ...boxes: readonly Uint8Array[]
): Uint8Array => box(type, u32(0), u16(0, 1), u32(0, 0), u16(channels, bits), u32(0), u16(sampleRateHz, 0), ...boxes);

export const opusEntry = (preSkip = 0): Uint8Array =>
  sampleEntry('Opus', {}, box('dOps', Uint8Array.of(0, 1), u16(preSkip), u32(48_000), u16(0), Uint8Array.of(0)));

const descriptor = (tag: number, ...content: readonly Uint8Array[]): Uint8Array => {
  const body = concat(...content);
  return concat(Uint8Array.of(tag, 0x80, 0x80, 0x80, body.length), body);
};

export const aacEntry = (config: Uint8Array, sampleRateHz = 16_000, objectType = 0x40): Uint8Array => {
  const decoder = descriptor(4, Uint8Array.of(objectType, 0x15, 0, 0, 0), u32(0, 0), descriptor(5, config));
  return sampleEntry('mp4a', { sampleRateHz }, fullBox('esds', 0, descriptor(3, Uint8Array.of(0, 1, 0), decoder)));
};

export interface TrackShape {
  readonly entry: Uint8Array;
  readonly handler?: string;
  readonly ticksPerSecond?: number;
  /** Sample counts and their durations. */
  readonly times?: readonly (readonly [count: number, ticks: number])[];
  /** Edits: duration in movie ticks, start in media ticks. */
  readonly edits?: readonly (readonly [number, number])[];
  readonly sizes?: readonly number[];
  /** A single size for all samples. */
  readonly constantSize?: readonly [size: number, count: number];
  readonly chunkOffsets?: readonly number[];
  readonly samplesPerChunk?: number;
  /** First chunks and their samples per chunk; by default all chunks are alike. */
  readonly chunkRuns?: readonly (readonly [firstChunk: number, samplesPerChunk: number])[];
}

const MOVIE_TICKS_PER_SECOND = 1000;

export const trak = (shape: TrackShape): Uint8Array => {
  const { entry, handler = 'soun', ticksPerSecond = 48_000, times = [], edits, sizes = [], chunkOffsets = [] } = shape;
  const [constant, count] = shape.constantSize ?? [0, sizes.length];
  const samplesPerChunk = shape.samplesPerChunk ?? Math.max(1, count);
  const chunkRuns = shape.chunkRuns ?? [[1, samplesPerChunk] as const];
  return box(
    'trak',
    fullBox('tkhd', 0, u32(0, 0, 1, 0, 0)),
    ...(edits
      ? [
          box(
            'edts',
            fullBox('elst', 0, u32(edits.length), ...edits.map(([length, start]) => u32(length, start, 0x10000))),
          ),
        ]
      : []),
    box(
      'mdia',
      fullBox('mdhd', 0, u32(0, 0, ticksPerSecond, 0, 0)),
      fullBox('hdlr', 0, u32(0), ascii(handler), u32(0, 0, 0)),
      box(
        'minf',
        box(
          'stbl',
          fullBox('stsd', 0, u32(1), entry),
          fullBox('stts', 0, u32(times.length), u32List(times.flat())),
          fullBox('stsc', 0, u32(chunkRuns.length), u32List(chunkRuns.flatMap((run) => [...run, 1]))),
          fullBox('stsz', 0, u32(constant, count), u32List(constant > 0 ? [] : sizes)),
          fullBox('stco', 0, u32(chunkOffsets.length), u32List(chunkOffsets)),
        ),
      ),
    ),
  );
};

export const moov = (...tracks: readonly Uint8Array[]): Uint8Array =>
  box('moov', fullBox('mvhd', 0, u32(0, 0, MOVIE_TICKS_PER_SECOND, 0)), ...tracks);

/** A file with one track in one chunk. */
export const mp4File = (
  shape: Omit<TrackShape, 'sizes' | 'chunkOffsets'>,
  packets: readonly Uint8Array[],
  { indexAt = 'start' }: { indexAt?: 'start' | 'end' } = {},
): Uint8Array => {
  const sizes = packets.map((packet) => packet.length);
  const movie = (offset: number): Uint8Array => moov(trak({ ...shape, sizes, chunkOffsets: [offset] }));
  const media = box('mdat', ...packets);
  const start = ftyp();
  if (indexAt === 'end') return concat(start, media, movie(start.length + 8));
  return concat(start, movie(start.length + movie(0).length + 8), media);
};

export interface FragmentShape {
  readonly packets: readonly Uint8Array[];
  /** Duration of each packet; by default not written. */
  readonly ticks?: readonly number[];
}

/** A movie without samples, followed by fragments. */
export const fragmentedFile = (
  shape: TrackShape,
  fragments: readonly FragmentShape[],
  defaultTicks: number,
): Uint8Array => {
  const extension = box('mvex', fullBox('trex', 0, u32(1, 1, defaultTicks, 0, 0)));
  const parts = fragments.map(({ packets, ticks }) => {
    const entries = packets.flatMap((packet, index) => (ticks ? [ticks[index]!, packet.length] : [packet.length]));
    const flags = 0x201 | (ticks ? 0x100 : 0);
    const moof = (offset: number): Uint8Array =>
      box(
        'moof',
        fullBox('mfhd', 0, u32(1)),
        box('traf', fullBox('tfhd', 0x20000, u32(1)), fullBox('trun', flags, u32(packets.length, offset, ...entries))),
      );
    return concat(moof(moof(0).length + 8), box('mdat', ...packets));
  });
  return concat(ftyp(), moov(trak(shape), extension), ...parts);
};
