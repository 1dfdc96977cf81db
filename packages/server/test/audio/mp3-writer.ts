// Writes MP3 files of silent frames, with and without an info frame.

import { parseMp3Header } from '../../src/audio/codecs/mp3/header.ts';
import { repeat } from './ogg-writer.ts';
import { ascii, concat } from './wav-writer.ts';

/** 24 ms at 48 kHz, mono, 32 kbit/s, with all side information zero. */
export const MP3_SILENCE_24_MS = new Uint8Array(96);
MP3_SILENCE_24_MS.set([0xff, 0xfb, 0x14, 0xc4]);

export const MP3_FRAMES = 1152;

export interface Mp3Note {
  /** Frames that the encoder added at the start and the end. */
  readonly delay: number;
  readonly padding: number;
  readonly frameCount: number;
}

const noteFrame = ({ delay, padding, frameCount }: Mp3Note): Uint8Array => {
  // A longer frame, because the info is longer than the shortest frames.
  const frame = Buffer.alloc(192);
  frame.set([0xff, 0xfb, 0x54, 0xc4]);
  frame.write('Info', 21, 'latin1');
  frame.writeUInt32BE(1, 25);
  frame.writeUInt32BE(frameCount, 29);
  frame.write('LAME3.100', 33, 'latin1');
  frame.writeUIntBE((delay << 12) | padding, 33 + 21, 3);
  return new Uint8Array(frame);
};

export const mp3File = (frames: number, note?: Partial<Mp3Note>): Uint8Array =>
  concat(
    ...(note ? [noteFrame({ delay: 0, padding: 0, frameCount: frames, ...note })] : []),
    ...repeat(MP3_SILENCE_24_MS, frames),
  );

/** A tag, optionally with a wrong size. */
export const id3Tag = (body: Uint8Array, declaredBytes = body.length): Uint8Array =>
  concat(ascii('ID3'), Uint8Array.of(4, 0, 0, ...[21, 14, 7, 0].map((shift) => (declaredBytes >> shift) & 127)), body);

/** Marks all frames but the info frame as joint stereo of the given kind. */
export const withJointStereo = (file: Uint8Array, kind: { isMidSide: boolean; isIntensity: boolean }): Uint8Array => {
  const changed = file.slice();
  let count = 0;
  for (let at = 0; at < changed.length; ) {
    const header = parseMp3Header(changed, at);
    if (!header) {
      at++;
      continue;
    }
    const extension = (kind.isMidSide ? 0x20 : 0) | (kind.isIntensity ? 0x10 : 0);
    if (count++ > 0) changed[at + 3] = (changed[at + 3]! & 0x0f) | 0x40 | extension;
    at += header.frameBytes;
  }
  return changed;
};
