// Tells a file's container by its first bytes, and names what is not one of ours.
import { unsupported } from '../refusal.ts';
import type { Demuxing } from '../track.ts';
import type { ByteQueue } from './byte-queue.ts';
import { demuxOgg } from './ogg.ts';
import { demuxWav } from './wav.ts';
import { demuxWebm } from './webm.ts';

const RIFF_IDS = new Set(['RIFF', 'RIFX', 'RF64', 'BW64']);
/** Tags are skipped so often before it is the file that is at fault. */
const ID3_TAGS_MAX = 4;

/** Recognises the container and reads it. */
export function* demux(bytes: ByteQueue): Demuxing {
  for (let tags = 0; ; tags++) {
    const whole = yield* bytes.need(12);
    const start = bytes.peek(Math.min(12, bytes.available));
    if (start.length === 0 && tags === 0) throw unsupported('The file is empty.');
    const text = new TextDecoder('latin1').decode(start);
    const id = text.slice(0, 4);
    if (id === 'OggS') return yield* demuxOgg(bytes);
    if (start[0] === 0x1a && start[1] === 0x45 && start[2] === 0xdf && start[3] === 0xa3)
      return yield* demuxWebm(bytes);
    if (RIFF_IDS.has(id) && text.slice(8, 12) === 'WAVE') {
      bytes.take(12);
      return yield* demuxWav(bytes, id);
    }
    if (!whole && tags === 0) throw unsupported('The file is too short to hold audio.');
    if (whole && id.startsWith('ID3') && tags < ID3_TAGS_MAX) {
      yield* bytes.skip(id3Bytes(start));
      continue;
    }
    const name = tags > 0 ? 'an MP3 file or another file behind an ID3 tag' : otherName(start, text);
    throw unsupported(
      name
        ? `The file is ${name}; send wav, ogg or webm.`
        : 'The file is not wav, ogg or webm: its content is of an unknown kind.',
    );
  }
}

/** The tag's size has seven bits a byte, and leaves out its own header. */
const id3Bytes = (start: Uint8Array): number =>
  10 + ((start[6]! & 0x7f) << 21) + ((start[7]! & 0x7f) << 14) + ((start[8]! & 0x7f) << 7) + (start[9]! & 0x7f);

const otherName = (start: Uint8Array, text: string): string | undefined => {
  if (text.startsWith('fLaC')) return 'a native FLAC file';
  if (text.startsWith('FORM')) return 'an AIFF file';
  if (text.startsWith('RIFF')) return 'a RIFF file without wave audio';
  if (text.slice(4, 8) === 'ftyp') return 'an MP4 or M4A file';
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
