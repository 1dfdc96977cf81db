// Reads AIFF and AIFC files: big-endian PCM, and the few other codings of AIFC.
import { CHANNELS_MAX, isReadable, type SampleFormat } from '../codecs/samples.ts';
import { unsupported } from '../refusal.ts';
import type { Demuxing } from '../track.ts';
import { type BlockFormat, demuxBlocks, pcmFormat } from './blocks.ts';
import type { ByteQueue } from './byte-queue.ts';
import type { Container } from './container.ts';
import { printable, textAt, viewOf } from './read-bytes.ts';

const FILE_HEADER_BYTES = 12;
const COMMON_BYTES_MAX = 4096;
const COMMON_BYTES_MIN = 18;
/** Sizes written by encoders that stream to a pipe. */
const UNKNOWN_SIZES = new Set([0, 0xff_ff_ff_ff]);

export const aiffContainer: Container = {
  name: 'an AIFF file',
  isInContract: false,
  sniff: (start) => textAt(start, 0) === 'FORM' && ['AIFF', 'AIFC'].includes(textAt(start, 8)),
  demux: demuxAiff,
};

function* demuxAiff(bytes: ByteQueue): Demuxing {
  bytes.take(FILE_HEADER_BYTES);
  let format: BlockFormat | undefined;
  while (yield* bytes.need(8)) {
    const header = bytes.take(8);
    const id = textAt(header, 0);
    const size = viewOf(header).getUint32(4);
    if (id === 'SSND') {
      if (!format) throw unsupported('The AIFF file has audio before its format header.');
      if (!(yield* bytes.need(8))) break;
      const offset = viewOf(bytes.take(8)).getUint32(0);
      if (!(yield* bytes.skip(offset))) break;
      const dataBytes = UNKNOWN_SIZES.has(size) ? Number.POSITIVE_INFINITY : Math.max(0, size - 8 - offset);
      return yield* demuxBlocks(bytes, format, dataBytes);
    }
    if (id === 'COMM') {
      if (size > COMMON_BYTES_MAX || size < COMMON_BYTES_MIN) throw unsupported('The AIFF header is damaged.');
      if (!(yield* bytes.need(size))) break;
      format = parseCommon(bytes.take(size));
    } else if (!(yield* bytes.skip(size))) {
      break;
    }
    if (size % 2 === 1 && !(yield* bytes.skip(1))) break;
  }
  throw unsupported(
    format ? 'The AIFF file ends before its audio starts.' : 'The AIFF file ends before its format header.',
  );
}

const parseCommon = (chunk: Uint8Array): BlockFormat => {
  const view = viewOf(chunk);
  const channels = view.getUint16(0);
  const bits = view.getUint16(6);
  const coding = chunk.length >= 22 ? textAt(chunk, 18) : 'NONE';
  if (channels === 0 || channels > CHANNELS_MAX) {
    throw unsupported(`The AIFF file has ${channels} channels; 1 to ${CHANNELS_MAX} are supported.`);
  }
  const format = sampleFormatOf(coding, bits);
  if (!format) {
    throw unsupported(`The AIFF file has an unsupported audio format (${printable(coding)}, ${bits} bits).`);
  }
  return pcmFormat({ codec: 'pcm', format, sampleRateHz: Math.round(extendedFloat(view, 8)), channels });
};

/** The codings of AIFC; QuickTime uses the same names. */
export const sampleFormatOf = (coding: string, bits: number): SampleFormat | undefined => {
  const of = (kind: SampleFormat['kind'], bytes: number, bigEndian = true): SampleFormat | undefined => {
    const format = { kind, bytes, bigEndian };
    return isReadable(format) ? format : undefined;
  };
  switch (coding) {
    case 'NONE':
    case 'twos':
      return of('signed', Math.ceil(bits / 8));
    case 'sowt':
      return of('signed', Math.ceil(bits / 8), false);
    case 'raw ':
      return of('unsigned', Math.ceil(bits / 8));
    case 'in24':
      return of('signed', 3);
    case 'in32':
      return of('signed', 4);
    case 'fl32':
    case 'FL32':
      return of('float', 4);
    case 'fl64':
    case 'FL64':
      return of('float', 8);
    case 'alaw':
    case 'ALAW':
      return of('alaw', 1);
    case 'ulaw':
    case 'ULAW':
      return of('mulaw', 1);
    default:
      return undefined;
  }
};

/** The rate is an 80-bit float: a 15-bit exponent and a mantissa with an explicit leading one. */
const extendedFloat = (view: DataView, at: number): number => {
  const exponent = view.getUint16(at) & 0x7fff;
  const mantissa = view.getUint32(at + 2) * 2 ** 32 + view.getUint32(at + 6);
  return mantissa * 2 ** (exponent - 16_383 - 63);
};
