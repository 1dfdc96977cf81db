// Reads Core Audio files (caf): PCM directly, compressed packets by a table before or after them.
import { LIMITS } from '@faircopy/contract/values';
import { aacPacketFrames, parseAacConfig } from '../codecs/aac/config.ts';
import { alacPacketFrames, parseAlacConfig } from '../codecs/alac-packet.ts';
import { CHANNELS_MAX, isReadable, type SampleFormat } from '../codecs/samples.ts';
import { unsupported } from '../refusal.ts';
import { type Coding, type Demuxing, packet } from '../track.ts';
import { demuxBlocks, pcmFormat } from './blocks.ts';
import type { ByteQueue } from './byte-queue.ts';
import type { Container } from './container.ts';
import { parseElementaryStream } from './mp4/elementary-stream.ts';
import { readSample } from './mp4/samples.ts';
import { printable, textAt, viewOf } from './read-bytes.ts';
import { RetainedBytes, retainBytes } from './retained-bytes.ts';

const FILE_HEADER_BYTES = 8;
const CHUNK_BYTES_MAX = 4 * 1024 * 1024;
const DESCRIPTION_BYTES = 32;

interface Description {
  readonly sampleRateHz: number;
  readonly format: string;
  readonly flags: number;
  readonly channels: number;
  readonly bits: number;
}

interface PacketTable {
  readonly skipFrames: number;
  readonly paddingFrames: number;
  /** Packet sizes, seven bits per byte. */
  readonly sizes: Uint8Array;
}

export const cafContainer: Container = {
  name: 'a Core Audio file',
  isInContract: false,
  mayNeedWholeFile: () => true,
  sniff: (start) => textAt(start, 0) === 'caff',
  demux: demuxCaf,
};

function* demuxCaf(bytes: ByteQueue): Demuxing {
  if (!(yield* bytes.skip(FILE_HEADER_BYTES))) throw unsupported('The caf file is too short to hold audio.');
  const retained = new RetainedBytes();
  let description: Description | undefined;
  let cookie = new Uint8Array(0);
  let table: PacketTable | undefined;
  let dataAt: number | undefined;
  while ((dataAt === undefined || !table) && (yield* bytes.need(12))) {
    const header = bytes.take(12);
    const id = textAt(header, 0);
    const view = viewOf(header);
    const declared = view.getInt32(4) * 2 ** 32 + view.getUint32(8);
    // Recorders leave the size of the last chunk open.
    const size = declared < 0 ? Number.POSITIVE_INFINITY : declared;
    if (id === 'data' && description) {
      // A four-byte edit count comes first.
      if (!(yield* bytes.skip(4))) break;
      const format = pcmFormatOf(description);
      const { sampleRateHz, channels } = description;
      if (format) {
        return yield* demuxBlocks(bytes, pcmFormat({ codec: 'pcm', format, sampleRateHz, channels }), size - 4);
      }
      dataAt = bytes.position;
      if (!table) yield* retainBytes(bytes, retained, size - 4, LIMITS.fileBytesMax);
    } else if (['desc', 'kuki', 'pakt'].includes(id) && size <= CHUNK_BYTES_MAX) {
      if (!(yield* bytes.need(size))) break;
      const data = bytes.take(size);
      if (id === 'desc') description = parseDescription(data);
      else if (id === 'kuki') cookie = data.slice();
      else table = parseTable(data);
    } else if (!(yield* bytes.skip(size))) {
      break;
    }
  }
  if (!description || dataAt === undefined)
    throw unsupported('The caf file ends, or is damaged, before its audio starts.');
  const coding = codingOf(description, cookie);
  if (!table) throw unsupported('The caf file ends before its packet table.');
  yield { kind: 'track', coding: coding.coding, skipFrames: table.skipFrames };
  yield* readPackets(bytes, retained, dataAt, table, coding.framesOf);
}

function* readPackets(
  bytes: ByteQueue,
  retained: RetainedBytes,
  dataAt: number,
  { sizes, paddingFrames }: PacketTable,
  framesOf: (data: Uint8Array) => number,
): Demuxing {
  let offset = dataAt;
  for (let at = 0; at < sizes.length; ) {
    let size = 0;
    // The highest bit is set in all bytes but the last.
    for (let more = true; more && at < sizes.length; at++) {
      size = size * 128 + (sizes[at]! & 127);
      more = sizes[at]! >= 128;
    }
    const data = yield* readSample(bytes, retained, offset, size);
    if (data === 'end') return;
    offset += size;
    const frames = data ? framesOf(data) : 0;
    const isLast = at >= sizes.length;
    if (data && frames > 0) yield packet(data, frames, isLast ? Math.min(frames, paddingFrames) : 0);
  }
}

const parseDescription = (data: Uint8Array): Description => {
  if (data.length < DESCRIPTION_BYTES) throw unsupported('The caf header is damaged.');
  const view = viewOf(data);
  const channels = view.getUint32(24);
  if (channels === 0 || channels > CHANNELS_MAX) {
    throw unsupported(`The caf file has ${channels} channels; 1 to ${CHANNELS_MAX} are supported.`);
  }
  return {
    sampleRateHz: Math.round(view.getFloat64(0)),
    format: textAt(data, 8),
    flags: view.getUint32(12),
    channels,
    bits: view.getUint32(28),
  };
};

const FLAG_FLOAT = 1;
const FLAG_LITTLE_ENDIAN = 2;

const pcmFormatOf = ({ format, flags, bits }: Description): SampleFormat | undefined => {
  const bigEndian = (flags & FLAG_LITTLE_ENDIAN) === 0;
  const found: SampleFormat | undefined =
    format === 'lpcm'
      ? { kind: flags & FLAG_FLOAT ? 'float' : 'signed', bytes: Math.ceil(bits / 8), bigEndian }
      : format === 'alaw' || format === 'ulaw'
        ? { kind: format === 'alaw' ? 'alaw' : 'mulaw', bytes: 1, bigEndian }
        : undefined;
  return found && isReadable(found) ? found : undefined;
};

const codingOf = (
  { format }: Description,
  cookie: Uint8Array,
): { coding: Coding; framesOf: (data: Uint8Array) => number } => {
  if (format === 'alac') {
    // Older files wrap the configuration in boxes.
    const config = parseAlacConfig(textAt(cookie, 4) === 'frma' ? cookie.subarray(24) : cookie);
    if (config) {
      const { sampleRateHz, channels } = config;
      return {
        coding: { codec: 'alac', sampleRateHz, channels, config },
        framesOf: (data) => alacPacketFrames(data, config),
      };
    }
  }
  if (format === 'aac ') {
    const config = parseAacConfig(parseElementaryStream(cookie)?.config ?? cookie);
    if (typeof config !== 'string') {
      return { coding: { codec: 'aac', ...config }, framesOf: aacPacketFrames };
    }
  }
  throw unsupported(
    `The caf file has audio in the format "${printable(format)}", which is not supported; PCM, AAC-LC and ALAC are.`,
  );
};

const parseTable = (data: Uint8Array): PacketTable | undefined => {
  if (data.length < 24) return undefined;
  const view = viewOf(data);
  return {
    skipFrames: Math.max(0, view.getInt32(16)),
    paddingFrames: Math.max(0, view.getInt32(20)),
    sizes: data.slice(24),
  };
};
