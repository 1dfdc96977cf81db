// Reads audio in blocks of constant size: the data of a wav file, live PCM, PCM in WebM.
import { type Coding, type Demuxing, type Packet, packet } from '../track.ts';
import type { ByteQueue } from './byte-queue.ts';

export interface BlockFormat {
  readonly coding: Coding;
  /** Bytes that must be decoded together. */
  readonly blockBytes: number;
  /** Frames in this many bytes; only the last block may be short. */
  framesIn(bytes: number): number;
}

export const PCM_PACKET_BYTES_MAX = 16 * 1024;
/** Packets are decoded in one go: limit their duration, which matters at low rates. */
const PACKET_SECONDS_MAX = 0.25;

export const pcmFormat = (coding: Coding & { readonly codec: 'pcm' }): BlockFormat => {
  const blockBytes = coding.format.bytes * coding.channels;
  return { coding, blockBytes, framesIn: (bytes) => Math.floor(bytes / blockBytes) };
};

const packetBytesMax = ({ coding, blockBytes }: BlockFormat): number => {
  if (coding.codec !== 'pcm') return blockBytes;
  const blocks = Math.min(PCM_PACKET_BYTES_MAX / blockBytes, coding.sampleRateHz * PACKET_SECONDS_MAX);
  return blockBytes * Math.max(1, Math.floor(blocks));
};

/** A track of `totalBytes`, or up to the end of the file. An incomplete frame at the end is dropped. */
export function* demuxBlocks(bytes: ByteQueue, format: BlockFormat, totalBytes: number): Demuxing {
  yield { kind: 'track', coding: format.coding, skipFrames: 0 };
  const { blockBytes } = format;
  const most = packetBytesMax(format);
  let left = totalBytes;
  while (left > 0) {
    const isWhole = (yield* bytes.need(Math.min(blockBytes, left))) && left >= blockBytes;
    const there = Math.min(bytes.available, left, most);
    const size = isWhole ? there - (there % blockBytes) : there;
    const frames = format.framesIn(size);
    const data = bytes.take(size);
    if (frames > 0) yield packet(data, frames);
    if (!isWhole) return;
    left -= size;
  }
}

/** Splits a large run of PCM into packets. */
export const pcmPackets = (data: Uint8Array, format: BlockFormat): Packet[] => {
  const most = packetBytesMax(format);
  return Array.from({ length: Math.ceil(data.length / most) }, (_, index) => {
    const part = data.subarray(index * most, (index + 1) * most);
    return packet(part, format.framesIn(part.length));
  });
};
