// Wav files, chunk by chunk: RIFF, big-endian RIFX, RF64 and BW64 for large ones, and headers written before the end was known.
import { unsupported } from '../refusal.ts';
import type { Demuxing } from '../track.ts';
import { type BlockFormat, demuxBlocks } from './blocks.ts';
import type { ByteQueue, Waiting } from './byte-queue.ts';
import type { AudioFormats } from './formats.ts';
import { demuxMp3 } from './mp3.ts';
import { isWavMp3, parseWavFormat } from './wav-format.ts';

const UNKNOWN_SIZE = 0xff_ff_ff_ff;
const FMT_BYTES_MAX = 4096;
/** Chunks seen after the audio; they tell an empty data chunk from one whose size was never filled in. */
const TRAILING_CHUNKS = new Set([
  'LIST',
  'fact',
  'bext',
  'cue ',
  'id3 ',
  'ID3 ',
  'iXML',
  'JUNK',
  'PEAK',
  'smpl',
  'junk',
]);

const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Reads from just after the twelve bytes by which the file was recognised. */
export function* demuxWav(bytes: ByteQueue, riffId: string, formats: AudioFormats): Demuxing {
  const bigEndian = riffId === 'RIFX';
  const number = (from: Uint8Array, at: number): number =>
    new DataView(from.buffer, from.byteOffset, from.byteLength).getUint32(at, !bigEndian);
  let format: BlockFormat | undefined;
  let isMp3 = false;
  let largeDataBytes: number | undefined;

  while (yield* bytes.need(8)) {
    const header = bytes.take(8);
    const id = text(header.subarray(0, 4));
    const size = number(header, 4);
    if (id === 'data') {
      if (isMp3) return yield* demuxMp3(bytes);
      if (!format) throw unsupported('The wav file has audio before it says how it is coded.');
      const declared = size === UNKNOWN_SIZE && largeDataBytes !== undefined ? largeDataBytes : size;
      if (declared === 0 && (yield* isReallyEmpty(bytes))) yield* demuxBlocks(bytes, format, 0);
      else yield* demuxBlocks(bytes, format, declared || Number.POSITIVE_INFINITY);
      return;
    }
    if (id === 'fmt ') {
      if (size > FMT_BYTES_MAX) throw unsupported('The wav header is damaged: its format is impossibly long.');
      if (!(yield* bytes.need(size))) break;
      const chunk = bytes.take(size);
      isMp3 = formats === 'all' && isWavMp3(chunk);
      if (!isMp3) format = parseWavFormat(chunk, bigEndian);
    } else if (id === 'ds64' && size >= 28 && size <= FMT_BYTES_MAX) {
      if (!(yield* bytes.need(size))) break;
      const sizes = bytes.take(size);
      largeDataBytes = number(sizes, 8) + number(sizes, 12) * 2 ** 32;
    } else if (!(yield* bytes.skip(size))) {
      break;
    }
    if (size % 2 === 1) yield* skipPadding(bytes);
  }
  throw unsupported(
    format ? 'The wav file ends before its audio starts.' : 'The wav file ends before it says how its audio is coded.',
  );
}

/** A chunk of odd length is followed by a zero byte, which some writers forget. */
function* skipPadding(bytes: ByteQueue): Waiting<void> {
  if ((yield* bytes.needAny()) && bytes.peek(1)[0] === 0) bytes.take(1);
}

/** Zero is what a recorder writes before it knows the size, unless a known chunk follows or nothing does. */
function* isReallyEmpty(bytes: ByteQueue): Waiting<boolean> {
  return !(yield* bytes.need(4)) || TRAILING_CHUNKS.has(text(bytes.peek(4)));
}
