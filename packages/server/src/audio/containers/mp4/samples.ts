// Reads samples from where an index says they stand: out of what is held of the file, or further on in it.

import type { ByteQueue, Waiting } from '../byte-queue.ts';
import type { HeldBytes, Range } from './held-bytes.ts';
import { chunksOf, type SampleTable } from './sample-table.ts';

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

/** Gaps shorter than this are not worth a range of their own. */
const GAP_BYTES = 4096;

/**
 * Looks through the index once: where in the part of the file before `end` the audio stands. Undefined when the samples
 * are in another order than the file.
 */
export const rangesOf = (table: SampleTable, end: number): readonly Range[] | undefined => {
  const ranges: { offset: number; bytes: number }[] = [];
  let last = { offset: 0, bytes: 0 };
  for (const { offset, firstSample, samples } of chunksOf(table)) {
    const bytes = table.bytesOf(firstSample, samples);
    const lastEnd = last.offset + last.bytes;
    if (offset < lastEnd) return undefined;
    if (offset <= lastEnd + GAP_BYTES) last.bytes = offset + bytes - last.offset;
    else last = { offset, bytes };
    if (offset < end && ranges.at(-1) !== last) ranges.push(last);
  }
  return ranges;
};
