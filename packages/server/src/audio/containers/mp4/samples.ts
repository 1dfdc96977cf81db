// Reads samples from where an index says they stand: out of what is held of the file, or further on in it.

import type { ByteQueue, Waiting } from '../byte-queue.ts';
import type { HeldBytes, Range } from './held-bytes.ts';
import type { Chunk, SampleTable } from './sample-table.ts';
import { chunksOf } from './sample-table.ts';

/** No packet of audio is larger. */
export const SAMPLE_BYTES_MAX = 2 * 1024 * 1024;

/** Undefined when the sample cannot be had any more; 'end' when the file ends before it does. */
export function* readSample(
  bytes: ByteQueue,
  held: HeldBytes,
  offset: number,
  size: number,
): Waiting<Uint8Array | undefined | 'end'> {
  if (size === 0 || size > SAMPLE_BYTES_MAX) return undefined;
  const kept = held.bytes > 0 ? held.read(offset, size) : undefined;
  if (kept) return kept;
  if (offset < bytes.position) return undefined;
  if (!(yield* bytes.skip(offset - bytes.position)) || !(yield* bytes.need(size))) return 'end';
  return bytes.take(size);
}

export interface Layout {
  /** Where the audio stands, in the order of the file. */
  readonly ranges: readonly Range[];
  /** Whether that is the order of the samples too. */
  readonly isInOrder: boolean;
}

/** Looks through the index once, before anything is read. */
export const layoutOf = (table: SampleTable): Layout => {
  const ranges: { offset: number; bytes: number }[] = [];
  let isInOrder = true;
  let end = 0;
  for (const chunk of chunksOf(table)) {
    const bytes = chunkBytes(table, chunk);
    isInOrder &&= chunk.offset >= end;
    end = chunk.offset + bytes;
    const last = ranges.at(-1);
    if (last && last.offset + last.bytes === chunk.offset) last.bytes += bytes;
    else ranges.push({ offset: chunk.offset, bytes });
  }
  return { ranges: isInOrder ? ranges : ranges.sort((a, b) => a.offset - b.offset), isInOrder };
};

export const chunkBytes = (table: SampleTable, { firstSample, samples }: Chunk): number =>
  table.bytesOf(firstSample, samples);
