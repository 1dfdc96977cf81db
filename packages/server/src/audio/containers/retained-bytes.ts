// Keeps parts of a file until its index has been read, because the index may follow the audio.

import { firstIndex } from '../../lib/first-index.ts';
import { type Refusal, unsupported } from '../refusal.ts';
import type { ByteQueue, Waiting } from './byte-queue.ts';

interface Segment {
  readonly offset: number;
  readonly data: Uint8Array;
}

export interface Range {
  readonly offset: number;
  readonly bytes: number;
}

/** Small pieces are joined up to this size, so that a million of them do not become a million objects. */
const SEGMENT_BYTES = 256 * 1024;

export class RetainedBytes {
  /** In file order. */
  #segments: Segment[] = [];
  #open: { readonly offset: number; readonly data: Uint8Array; filled: number } | undefined;
  /** The buffer of a closed segment whose data was copied, for the next one. */
  #spare: Uint8Array | undefined;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Copies the data; offsets must increase from call to call. */
  add(offset: number, data: Uint8Array): void {
    for (let at = 0; at < data.length; ) {
      if (!this.#open || this.#open.offset + this.#open.filled !== offset + at || this.#open.filled === SEGMENT_BYTES) {
        this.#close();
        this.#open = { offset: offset + at, data: this.#spare ?? new Uint8Array(SEGMENT_BYTES), filled: 0 };
        this.#spare = undefined;
      }
      const part = data.subarray(at, at + SEGMENT_BYTES - this.#open.filled);
      this.#open.data.set(part, this.#open.filled);
      this.#open.filled += part.length;
      at += part.length;
    }
    this.#bytes += data.length;
  }

  /** Drops everything outside these ranges, which must be in file order and must not overlap. */
  keepOnly(ranges: readonly Range[]): void {
    this.#close();
    const kept: Segment[] = [];
    for (const { offset, bytes } of ranges) {
      let passed = 0;
      while (passed < this.#segments.length && endOf(this.#segments[passed]!) <= offset) passed++;
      if (passed > 0) this.#segments.splice(0, passed);
      for (const segment of this.#segments) {
        if (segment.offset >= offset + bytes) break;
        const from = Math.max(0, offset - segment.offset);
        const data = segment.data.slice(from, offset + bytes - segment.offset);
        kept.push({ offset: segment.offset + from, data });
      }
    }
    this.#segments = kept;
    this.#bytes = kept.reduce((sum, { data }) => sum + data.length, 0);
  }

  /** Undefined when part of it was not retained. */
  read(offset: number, bytes: number): Uint8Array | undefined {
    this.#close();
    const first = firstIndex(this.#segments, (segment) => endOf(segment) > offset);
    const segment = this.#segments[first];
    if (!segment || segment.offset > offset) return undefined;
    const from = offset - segment.offset;
    if (from + bytes <= segment.data.length) return segment.data.subarray(from, from + bytes);
    const whole = new Uint8Array(bytes);
    let filled = 0;
    for (let index = first; filled < bytes; index++) {
      const next = this.#segments[index];
      if (!next || next.offset > offset + filled) return undefined;
      const part = next.data.subarray(offset + filled - next.offset, offset + bytes - next.offset);
      whole.set(part, filled);
      filled += part.length;
    }
    return whole;
  }

  #close(): void {
    if (!this.#open) return;
    const { offset, data, filled } = this.#open;
    const isFull = filled === SEGMENT_BYTES;
    this.#segments.push({ offset, data: isFull ? data : data.slice(0, filled) });
    if (!isFull) this.#spare = data;
    this.#open = undefined;
  }
}

/** Audio can be read only once the index has arrived, and only `bytesMax` of it are kept until then. */
export const indexTooFar = (bytesMax: number): Refusal =>
  unsupported(
    `The index of the file comes after more than ${bytesMax / 1024 / 1024} MB of audio and video. ` +
      'Put it first (ffmpeg -i in.mp4 -c copy -movflags faststart out.mp4), or send only the audio.',
  );

/** Reads and keeps this many bytes, or up to the end of the file. */
export function* retainBytes(bytes: ByteQueue, retained: RetainedBytes, size: number, bytesMax: number): Waiting<void> {
  for (let left = size; left > 0; ) {
    if (!(yield* bytes.need(1))) return;
    const { position } = bytes;
    const data = bytes.take(Math.min(left, bytes.available, 64 * 1024));
    left -= data.length;
    retained.add(position, data);
    if (retained.bytes > bytesMax) throw indexTooFar(bytesMax);
  }
}

const endOf = ({ offset, data }: Segment): number => offset + data.length;
