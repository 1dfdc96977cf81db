// Tells a file's container by its first bytes, and names what is not one of ours.
import { unsupported } from '../refusal.ts';
import type { Demuxing } from '../track.ts';
import { demuxAdts, isAdtsSync } from './adts.ts';
import { demuxAiff } from './aiff.ts';
import type { ByteQueue } from './byte-queue.ts';
import { demuxCaf } from './caf.ts';
import { demuxFlac } from './flac.ts';
import type { AudioFormats } from './formats.ts';
import { isId3, skipId3 } from './id3.ts';
import { demuxMp3 } from './mp3.ts';
import { demuxMp4 } from './mp4/mp4.ts';
import { demuxOgg } from './ogg.ts';
import { demuxWav } from './wav.ts';
import { demuxWebm } from './webm.ts';

const RIFF_IDS = new Set(['RIFF', 'RIFX', 'RF64', 'BW64']);
/** Tags are skipped so often before it is the file that is at fault. */
const ID3_TAGS_MAX = 4;
const START_BYTES = 12;
/** Boxes with which MP4 and QuickTime files start. */
const MP4_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'styp']);

const asciiAt = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Whether a file that begins so may have to be held whole before it can be decoded: its index may stand at the end. */
export const mayNeedWholeFile = (start: Uint8Array): boolean =>
  MP4_BOXES.has(asciiAt(start, 4, 8)) || asciiAt(start, 0, 4) === 'caff';

/** Recognises the container and reads it. */
export function* demux(bytes: ByteQueue, formats: AudioFormats): Demuxing {
  for (let tags = 0; ; tags++) {
    const isWhole = yield* bytes.need(START_BYTES);
    const start = bytes.peek(Math.min(START_BYTES, bytes.available));
    if (start.length === 0 && tags === 0) throw unsupported('The file is empty.');
    const demuxing =
      contractDemuxing(bytes, start, formats) ?? (formats === 'all' ? otherDemuxing(bytes, start, tags) : undefined);
    if (demuxing) return yield* demuxing;
    if (!isWhole && tags === 0) throw unsupported('The file is too short to hold audio.');
    if (isId3(start) && tags < ID3_TAGS_MAX) {
      yield* skipId3(bytes);
      continue;
    }
    throw unsupported(sentence(tags > 0 ? 'an MP3 file or another file behind an ID3 tag' : otherName(start), formats));
  }
}

const textOf = (start: Uint8Array): string => new TextDecoder('latin1').decode(start);

const contractDemuxing = (bytes: ByteQueue, start: Uint8Array, formats: AudioFormats): Demuxing | undefined => {
  const text = textOf(start);
  const id = text.slice(0, 4);
  if (id === 'OggS') return demuxOgg(bytes);
  if (id === '\x1a\x45\xdf\xa3') return demuxWebm(bytes, formats);
  if (!RIFF_IDS.has(id) || text.slice(8) !== 'WAVE') return undefined;
  bytes.take(START_BYTES);
  return demuxWav(bytes, id, formats);
};

/** Behind a tag an MP3 file is expected, even if its first frame has to be searched. */
const otherDemuxing = (bytes: ByteQueue, start: Uint8Array, tags: number): Demuxing | undefined => {
  const text = textOf(start);
  const id = text.slice(0, 4);
  if (id === 'fLaC') return demuxFlac(bytes);
  if (id === 'caff') return demuxCaf(bytes);
  if (id === 'FORM' && (text.slice(8) === 'AIFF' || text.slice(8) === 'AIFC')) {
    bytes.take(START_BYTES);
    return demuxAiff(bytes);
  }
  if (MP4_BOXES.has(text.slice(4, 8))) return demuxMp4(bytes);
  if (isAdtsSync(start)) return demuxAdts(bytes);
  if (isMpegSync(start) || (tags > 0 && !isId3(start))) return demuxMp3(bytes);
  return undefined;
};

const isMpegSync = (start: Uint8Array): boolean => start[0] === 0xff && (start[1]! & 0xe0) === 0xe0;

const sentence = (name: string | undefined, formats: AudioFormats): string => {
  if (formats === 'all') {
    return name ? `The file is ${name}, which is not supported.` : 'The content of the file is of an unknown kind.';
  }
  return name
    ? `The file is ${name}; send wav, ogg or webm.`
    : 'The file is not wav, ogg or webm: its content is of an unknown kind.';
};

const otherName = (start: Uint8Array): string | undefined => {
  const text = textOf(start);
  if (text.startsWith('fLaC')) return 'a native FLAC file';
  if (text.startsWith('FORM')) return 'an AIFF file';
  if (text.startsWith('RIFF')) return 'a RIFF file without wave audio';
  if (MP4_BOXES.has(text.slice(4, 8))) return 'an MP4 or M4A file';
  if (text.startsWith('#!AMR')) return 'an AMR file';
  if (text.startsWith('NIST_1A')) return 'a NIST Sphere file';
  if (text.startsWith('caff')) return 'a Core Audio file';
  if (start[0] === 0x30 && start[1] === 0x26 && start[2] === 0xb2) return 'a Windows Media file';
  if (start[0] === 0x1f && start[1] === 0x8b) return 'a gzip file';
  if (text.startsWith('PK')) return 'a zip file';
  if (start[0] === 0x0b && start[1] === 0x77) return 'an AC-3 file';
  if (start[0] === 0xff && (start[1]! & 0xf6) === 0xf0) return 'an AAC file';
  if (start[0] === 0xff && (start[1]! & 0xe0) === 0xe0) return 'an MP3 file';
  return undefined;
};
