// Reads MP3 files: finds frames, even after damage, and trims them as the encoder's info frame declares.
import { MP3_HEADER_BYTES, type Mp3Header, parseMp3Header, sideInfoBytes } from '../codecs/mp3/header.ts';
import { unsupported } from '../refusal.ts';
import { type Demuxing, packet } from '../track.ts';
import type { ByteQueue } from './byte-queue.ts';
import type { Container } from './container.ts';
import { FrameSearch, TRACKS_MAX } from './frame-search.ts';
import { textAt, viewOf } from './read-bytes.ts';

export const mp3Container: Container = {
  name: 'an MP3 file',
  isInContract: false,
  sniff: (start) => start[0] === 0xff && (start[1]! & 0xe0) === 0xe0,
  demux: demuxMp3,
};

/** May start anywhere before the first frame. */
export function* demuxMp3(bytes: ByteQueue): Demuxing {
  const search = new FrameSearch(bytes, { headerBytes: MP3_HEADER_BYTES, parse: parseMp3Header, isSameStream });
  let track: { readonly header: Mp3Header; readonly trim: Trim; frames: number } | undefined;
  let tracks = 0;
  for (;;) {
    const header = yield* search.next();
    if (!header) break;
    if (header.layer !== 3) {
      throw unsupported(`The file is MPEG audio of layer ${'I'.repeat(header.layer)}, which is not supported.`);
    }
    const data = bytes.take(header.frameBytes);
    if (!track || !isSameStream(header, track.header)) {
      if (++tracks > TRACKS_MAX) break;
      const note = tracks === 1 ? encoderNote(data, header) : undefined;
      const trim = note ?? NO_TRIM;
      track = { header, trim, frames: 0 };
      const { sampleRateHz, channels } = header;
      yield { kind: 'track', coding: { codec: 'mp3', sampleRateHz, channels }, skipFrames: trim.skipFrames };
      // The info frame holds no audio.
      if (note) continue;
    }
    const start = track.frames;
    track.frames += header.frames;
    const { from, to } = track.trim.padding;
    // The padding is at the end of the frames that the encoder wrote.
    const padding = to >= track.frames ? Math.max(0, track.frames - Math.max(from, start)) : 0;
    yield packet(data, header.frames, padding);
  }
  if (!track) throw unsupported('The file holds no MP3 audio that can be decoded.');
}

const isSameStream = (a: Mp3Header, b: Mp3Header): boolean =>
  a.layer === b.layer && a.version === b.version && a.sampleRateHz === b.sampleRateHz && a.channels === b.channels;

/** What the encoder added, in frames from the start of the audio. */
interface Trim {
  readonly skipFrames: number;
  readonly padding: { readonly from: number; readonly to: number };
}

const NO_TRIM: Trim = { skipFrames: 0, padding: { from: 0, to: 0 } };
const DECODER_DELAY_FRAMES = 529;

/** The trim in the info frame that LAME and others write first; undefined for an ordinary frame. */
const encoderNote = (data: Uint8Array, header: Mp3Header): Trim | undefined => {
  const view = viewOf(data);
  const text = (at: number): string => textAt(data, at);
  const u32 = (at: number): number => (at + 4 <= data.length ? view.getUint32(at) : 0);
  if (text(36) === 'VBRI') return NO_TRIM;
  const at = MP3_HEADER_BYTES + sideInfoBytes(header);
  if (text(at) !== 'Xing' && text(at) !== 'Info') return undefined;
  const fields = u32(at + 4);
  const frameCount = fields & 1 ? u32(at + 8) : 0;
  const byteCount = fields & 2 ? u32(at + (fields & 1 ? 12 : 8)) : 0;
  if (frameCount === 0 && byteCount === 0) return undefined;
  const noteAt = at + 8 + (fields & 1 ? 4 : 0) + (fields & 2 ? 4 : 0) + (fields & 4 ? 100 : 0) + (fields & 8 ? 4 : 0);
  if (!['LAME', 'Lavf', 'Lavc'].includes(text(noteAt)) || noteAt + 24 > data.length) return NO_TRIM;
  const delays = u32(noteAt + 20) & 0xff_ff_ff;
  const to = frameCount * header.frames;
  return {
    skipFrames: (delays >> 12) + DECODER_DELAY_FRAMES,
    padding: { from: Math.max(0, to - Math.max(0, (delays & 0xfff) - DECODER_DELAY_FRAMES)), to },
  };
};
