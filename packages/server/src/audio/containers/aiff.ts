// AIFF and AIFC files, chunk by chunk: big-endian PCM, and the few codings that AIFC names.
import { isReadable, type SampleFormat } from '../codecs/samples.ts';
import { unsupported } from '../refusal.ts';
import type { Demuxing } from '../track.ts';
import { type BlockFormat, demuxBlocks, pcmFormat } from './blocks.ts';
import type { ByteQueue } from './byte-queue.ts';

const COMMON_BYTES_MAX = 4096;
const COMMON_BYTES_MIN = 18;
const CHANNELS_MAX = 64;
/** Sizes that a writer to a pipe leaves open. */
const UNKNOWN_SIZES = new Set([0, 0xff_ff_ff_ff]);

const textAt = (data: Uint8Array, at: number): string => String.fromCharCode(...data.subarray(at, at + 4));

/** Reads from just after the twelve bytes by which the file was recognised. */
export function* demuxAiff(bytes: ByteQueue): Demuxing {
  let format: BlockFormat | undefined;
  while (yield* bytes.need(8)) {
    const header = bytes.take(8);
    const id = textAt(header, 0);
    const size = new DataView(header.buffer, header.byteOffset, 8).getUint32(4);
    if (id === 'SSND') {
      if (!format) throw unsupported('The AIFF file has audio before it says how it is coded.');
      if (!(yield* bytes.need(8))) break;
      const start = bytes.take(8);
      const offset = new DataView(start.buffer, start.byteOffset, 8).getUint32(0);
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
    format
      ? 'The AIFF file ends before its audio starts.'
      : 'The AIFF file ends before it says how its audio is coded.',
  );
}

const parseCommon = (chunk: Uint8Array): BlockFormat => {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const channels = view.getUint16(0);
  const bits = view.getUint16(6);
  const coding = chunk.length >= 22 ? textAt(chunk, 18) : 'NONE';
  if (channels === 0 || channels > CHANNELS_MAX) {
    throw unsupported(`The AIFF file has ${channels} channels; 1 to ${CHANNELS_MAX} work.`);
  }
  const format = sampleFormatOf(coding, bits);
  if (!format) {
    const name = coding.replace(/[^\x20-\x7e]/g, '?');
    throw unsupported(`The AIFF file holds audio of a kind that is not supported (${name}, ${bits} bits).`);
  }
  return pcmFormat({ codec: 'pcm', format, sampleRateHz: Math.round(extendedFloat(view, 8)), channels });
};

/** The codings of AIFC, which QuickTime knows by the same names. */
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

/** The rate is an 80-bit float: an exponent of fifteen bits, and a mantissa with its leading one. */
const extendedFloat = (view: DataView, at: number): number => {
  const exponent = view.getUint16(at) & 0x7fff;
  const mantissa = view.getUint32(at + 2) * 2 ** 32 + view.getUint32(at + 6);
  return mantissa * 2 ** (exponent - 16_383 - 63);
};
