// Speech in the forms in which it is sent: raw pcm16 at 16 kHz, or a wav file.
import { spoken, story } from '#testing';
import { clipsOfLength, hasRecordings, RATE_HZ, readSentences } from './clips.ts';

export const BYTES_PER_SECOND = 2 * RATE_HZ;

export const pcm16 = (samples: Float32Array): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) {
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), at * 2);
  }
  return bytes;
};

/** Read speech by many speakers, cut to exactly this length; null without recordings. */
export const realSpeech = async (seconds: number): Promise<Buffer | null> => {
  if (!hasRecordings) return null;
  const sentences = await readSentences(['en/ls_test_other', 'en/ls_clean'], seconds);
  return pcm16(clipsOfLength(sentences, seconds, 1)[0]!.samples);
};

const WORD_SECONDS = 0.36;
/** Tones that the scripted engine recognises as words. */
export const toneSpeech = (seconds: number): Buffer =>
  pcm16(spoken(story(Math.ceil(seconds / WORD_SECONDS)))).subarray(0, seconds * BYTES_PER_SECOND);

/** Wraps raw audio in a wav file. */
export const wavOf = (audio: Buffer): Blob => {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + audio.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE_HZ, 24);
  header.writeUInt32LE(BYTES_PER_SECOND, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(audio.length, 40);
  return new Blob([header, new Uint8Array(audio)]);
};
