// A recording as it is sent: wav, ogg and webm as they are; everything else is decoded here, since services may not take it.
import { constants, createReadStream, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';

/** As much as fits into the largest upload. */
const DECODED_SECONDS_MAX = 1_600;
const CONTRACT_STARTS = ['OggS', '\x1a\x45\xdf\xa3', 'RIFF', 'RIFX', 'RF64', 'BW64'];

/** A plain file is read as it is sent; a pipe, as in <(arecord …), can only be read once, so it is read before. */
const blobOf = async (file: string): Promise<Blob> => {
  if (file === '-') return drained(process.stdin);
  // What Node says of a file it cannot open names a blob.
  await access(file, constants.R_OK);
  return (await stat(file)).isFile() ? openAsBlob(file) : drained(createReadStream(file));
};

const drained = async (source: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return new Blob(chunks);
};

/** A 16 kHz mono wav file of 16-bit samples. */
const wavOf = (pieces: readonly Float32Array[]): Blob => {
  const count = pieces.reduce((total, { length }) => total + length, 0);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + count * 2, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(SAMPLE_RATE_HZ * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(count * 2, 40);
  const pcm16 = pieces.map((samples) =>
    Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))),
  );
  return new Blob([header, ...pcm16]);
};

const decoded = async (recording: Blob, decoding: UploadDecoding): Promise<Blob> => {
  const decoder = decoding.open({ maxDurationSeconds: DECODED_SECONDS_MAX, formats: 'all' });
  const writing = (async () => {
    for await (const chunk of recording.stream()) await decoder.write(chunk);
    decoder.end();
  })();
  // What goes wrong with the bytes is what reading the samples fails with.
  writing.catch(() => decoder.abort());
  const pieces: Float32Array[] = [];
  for await (const samples of decoder) pieces.push(samples);
  return wavOf(pieces);
};

/** The recording in a format that every service takes. */
export const recordingOf = async (file: string, decoding: UploadDecoding): Promise<Blob> => {
  const recording = await blobOf(file);
  const start = Buffer.from(await recording.slice(0, 4).arrayBuffer()).toString('latin1');
  if (CONTRACT_STARTS.includes(start)) return recording;
  try {
    return await decoded(recording, decoding);
  } catch (thrown) {
    // What cannot be decoded here is the service's to refuse.
    if (thrown instanceof Fault && thrown.code === 'AUDIO_FORMAT_UNSUPPORTED') return recording;
    throw thrown;
  }
};
