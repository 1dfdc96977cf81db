// Reads samples at the offsets of an index: from the retained bytes, or further on in the file.

import type { ByteQueue, Waiting } from '../byte-queue.ts';
import type { Range, RetainedBytes } from '../retained-bytes.ts';
import { chunksOf, type SampleTable } from './sample-table.ts';

const SAMPLE_BYTES_MAX = 2 * 1024 * 1024;

/** Undefined when the sample is no longer available; 'end' when the file ends first. */
export function* readSample(
  bytes: ByteQueue,
  retained: RetainedBytes,
  offset: number,
  size: number,
): Waiting<Uint8Array | undefined | 'end'> {
  if (size === 0 || size > SAMPLE_BYTES_MAX) return undefined;
  const kept = retained.bytes > 0 ? retained.read(offset, size) : undefined;
  if (kept) return kept;
  if (offset < bytes.position) return undefined;
  if (!(yield* bytes.skip(offset - bytes.position)) || !(yield* bytes.need(size))) return 'end';
  return bytes.take(size);
}

/** Merge ranges across gaps shorter than this. */
const GAP_BYTES = 4096;

/** The byte ranges of audio before `end`; undefined when the samples are not in file order. */
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
