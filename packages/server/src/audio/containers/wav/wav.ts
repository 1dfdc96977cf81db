// Reads wav files: RIFF, big-endian RIFX, RF64 and BW64 for large files, and headers written before the size was known.
import { unsupported } from '../../refusal.ts';
import type { Demuxing } from '../../track.ts';
import { type BlockFormat, demuxBlocks } from '../blocks.ts';
import type { ByteQueue, Waiting } from '../byte-queue.ts';
import type { AudioFormats, Container } from '../container.ts';
import { demuxMp3 } from '../mp3.ts';
import { textAt, viewOf } from '../read-bytes.ts';
import { isWavMp3, parseWavFormat } from './format-chunk.ts';

const RIFF_IDS = new Set(['RIFF', 'RIFX', 'RF64', 'BW64']);
const FILE_HEADER_BYTES = 12;
const UNKNOWN_SIZE = 0xff_ff_ff_ff;
const FMT_BYTES_MAX = 4096;
/** Chunks that follow the audio: they distinguish an empty data chunk from one whose size was never filled in. */
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

export const wavContainer: Container = {
  name: 'a wav file',
  isInContract: true,
  sniff: (start) => RIFF_IDS.has(textAt(start, 0)) && textAt(start, 8) === 'WAVE',
  demux: demuxWav,
};

function* demuxWav(bytes: ByteQueue, formats: AudioFormats): Demuxing {
  const bigEndian = textAt(bytes.take(FILE_HEADER_BYTES), 0) === 'RIFX';
  const number = (from: Uint8Array, at: number): number => viewOf(from).getUint32(at, !bigEndian);
  let format: BlockFormat | undefined;
  let isMp3 = false;
  let largeDataBytes: number | undefined;

  while (yield* bytes.need(8)) {
    const header = bytes.take(8);
    const id = textAt(header, 0);
    const size = number(header, 4);
    if (id === 'data') {
      if (isMp3) return yield* demuxMp3(bytes);
      if (!format) throw unsupported('The wav file has audio before its format header.');
      const declared = size === UNKNOWN_SIZE && largeDataBytes !== undefined ? largeDataBytes : size;
      if (declared === 0 && (yield* isReallyEmpty(bytes))) yield* demuxBlocks(bytes, format, 0);
      else yield* demuxBlocks(bytes, format, declared || Number.POSITIVE_INFINITY);
      return;
    }
    if (id === 'fmt ') {
      if (size > FMT_BYTES_MAX) throw unsupported('The wav header is damaged: its format chunk is too long.');
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
    format ? 'The wav file ends before its audio starts.' : 'The wav file ends before its format header.',
  );
}

/** A chunk of odd length is followed by a zero byte, which some encoders omit. */
function* skipPadding(bytes: ByteQueue): Waiting<void> {
  if ((yield* bytes.need(1)) && bytes.peek(1)[0] === 0) bytes.take(1);
}

/** Recorders write a size of zero until they know it: the chunk is empty only if a known chunk follows, or nothing. */
function* isReallyEmpty(bytes: ByteQueue): Waiting<boolean> {
  return !(yield* bytes.need(4)) || TRAILING_CHUNKS.has(textAt(bytes.peek(4), 0));
}
