// Where the samples of a track are in the file (ISO/IEC 14496-12 sections 8.6 and 8.7); an MP4 sample is a packet.
import { unsupported } from '../../refusal.ts';
import { viewOf } from '../read-bytes.ts';
import { findBox } from './boxes.ts';

export interface SampleTable {
  readonly sampleCount: number;
  sizeOf(sample: number): number;
  /** Total bytes of consecutive samples. */
  bytesOf(firstSample: number, samples: number): number;
  readonly chunkCount: number;
  offsetOf(chunk: number): number;
  /** Runs of chunks with the same number of samples, in order. */
  readonly chunkRunCount: number;
  chunkRunOf(run: number): ChunkRun;
  readonly totalTicks: number;
  readonly lastSampleTicks: number;
}

interface ChunkRun {
  readonly firstChunk: number;
  readonly samplesPerChunk: number;
}

/** Samples that are contiguous in the file. */
export interface Chunk {
  readonly offset: number;
  readonly firstSample: number;
  readonly samples: number;
}

/** Undefined when the table is incomplete. */
export const parseSampleTable = (stbl: Uint8Array): SampleTable | undefined => {
  const sizes = parseSizes(stbl);
  const offsets = parseOffsets(stbl);
  const runs = findBox(stbl, 'stsc');
  const times = findBox(stbl, 'stts');
  if (!sizes || !offsets || !runs || !times) return undefined;
  return { ...sizes, ...offsets, ...parseChunkRuns(runs), ...parseTimes(times) };
};

/** The number of entries in a table, limited by its size. */
const entriesIn = (data: Uint8Array, countAt: number, entryBytes: number): number =>
  data.length < countAt + 4
    ? 0
    : Math.min(viewOf(data).getUint32(countAt), Math.floor((data.length - countAt - 4) / entryBytes));

type Sizes = Pick<SampleTable, 'sampleCount' | 'sizeOf' | 'bytesOf'>;

const listedSizes = (sampleCount: number, sizeOf: (sample: number) => number): Sizes => ({
  sampleCount,
  sizeOf,
  bytesOf: (firstSample, samples) => {
    let bytes = 0;
    for (let sample = firstSample; sample < firstSample + samples; sample++) bytes += sizeOf(sample);
    return bytes;
  },
});

const parseSizes = (stbl: Uint8Array): Sizes | undefined => {
  const plain = findBox(stbl, 'stsz');
  if (plain && plain.length >= 12) {
    const view = viewOf(plain);
    const constant = view.getUint32(4);
    if (constant > 0) {
      const bytesOf = (_firstSample: number, samples: number): number => samples * constant;
      return { sampleCount: view.getUint32(8), sizeOf: () => constant, bytesOf };
    }
    return listedSizes(entriesIn(plain, 8, 4), (sample) => view.getUint32(12 + 4 * sample));
  }
  const compact = findBox(stbl, 'stz2');
  if (!compact || compact.length < 12) return undefined;
  const view = viewOf(compact);
  const bits = compact[7]!;
  if (bits === 16) return listedSizes(entriesIn(compact, 8, 2), (sample) => view.getUint16(12 + 2 * sample));
  if (bits === 8) return listedSizes(entriesIn(compact, 8, 1), (sample) => compact[12 + sample]!);
  if (bits !== 4) return undefined;
  const nibble = (sample: number): number => (compact[12 + (sample >> 1)]! >> (sample & 1 ? 0 : 4)) & 15;
  return listedSizes(entriesIn(compact, 8, 0.5), nibble);
};

const parseOffsets = (stbl: Uint8Array): Pick<SampleTable, 'chunkCount' | 'offsetOf'> | undefined => {
  const short = findBox(stbl, 'stco');
  if (short) {
    const view = viewOf(short);
    return { chunkCount: entriesIn(short, 4, 4), offsetOf: (chunk) => view.getUint32(8 + 4 * chunk) };
  }
  const long = findBox(stbl, 'co64');
  if (!long) return undefined;
  const view = viewOf(long);
  return {
    chunkCount: entriesIn(long, 4, 8),
    offsetOf: (chunk) => view.getUint32(8 + 8 * chunk) * 2 ** 32 + view.getUint32(12 + 8 * chunk),
  };
};

const parseChunkRuns = (data: Uint8Array): Pick<SampleTable, 'chunkRunCount' | 'chunkRunOf'> => {
  const view = viewOf(data);
  return {
    chunkRunCount: entriesIn(data, 4, 12),
    chunkRunOf: (run) => ({
      firstChunk: view.getUint32(8 + 12 * run) - 1,
      samplesPerChunk: view.getUint32(12 + 12 * run),
    }),
  };
};

const parseTimes = (data: Uint8Array): Pick<SampleTable, 'totalTicks' | 'lastSampleTicks'> => {
  const view = viewOf(data);
  let totalTicks = 0;
  let lastSampleTicks = 0;
  for (let entry = 0; entry < entriesIn(data, 4, 8); entry++) {
    const samples = view.getUint32(8 + 8 * entry);
    if (samples === 0) continue;
    lastSampleTicks = view.getUint32(12 + 8 * entry);
    totalTicks += samples * lastSampleTicks;
  }
  return { totalTicks, lastSampleTicks };
};

/** The chunks in sample order. Throws a Refusal at a run without samples or that does not follow the one before. */
export function* chunksOf(table: SampleTable): Generator<Chunk, void, void> {
  const { chunkRunCount, chunkCount, sampleCount } = table;
  let firstSample = 0;
  for (let run = 0; run < chunkRunCount && firstSample < sampleCount; run++) {
    const { firstChunk, samplesPerChunk } = table.chunkRunOf(run);
    const next = run + 1 < chunkRunCount ? table.chunkRunOf(run + 1).firstChunk : Number.POSITIVE_INFINITY;
    // Such runs could each pass over all chunks without progress.
    if (samplesPerChunk === 0 || next <= firstChunk) throw unsupported('The index of the MP4 file is damaged.');
    const end = Math.min(chunkCount, next);
    for (let chunk = firstChunk; chunk < end && firstSample < sampleCount; chunk++) {
      const samples = Math.min(samplesPerChunk, sampleCount - firstSample);
      yield { offset: table.offsetOf(chunk), firstSample, samples };
      firstSample += samples;
    }
  }
}
