// A recording to upload: wav, ogg and webm unchanged; other formats are decoded here, because a server may refuse them.
import { constants, createReadStream, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';

/** The longest wav file within the upload limit. */
const DECODED_SECONDS_MAX = 1_600;
const CONTRACT_STARTS = ['OggS', '\x1a\x45\xdf\xa3', 'RIFF', 'RIFX', 'RF64', 'BW64'];

/** A file is read while it is sent; a pipe can be read only once, so it is read in advance. */
export const blobOf = async (file: string): Promise<Blob> => {
  if (file === '-') return readAll(process.stdin);
  // For an unreadable file, openAsBlob reports an error about a blob.
  await access(file, constants.R_OK);
  return (await stat(file)).isFile() ? openAsBlob(file) : readAll(createReadStream(file));
};

const readAll = async (source: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> => {
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
  // Faults of the audio reject the loop below.
  writing.catch(() => decoder.abort());
  const pieces: Float32Array[] = [];
  for await (const samples of decoder) pieces.push(samples);
  return wavOf(pieces);
};

/** The recording in a format that every server accepts. */
export const acceptedEverywhere = async (recording: Blob, decoding: UploadDecoding): Promise<Blob> => {
  const start = Buffer.from(await recording.slice(0, 4).arrayBuffer()).toString('latin1');
  if (CONTRACT_STARTS.includes(start)) return recording;
  try {
    return await decoded(recording, decoding);
  } catch (thrown) {
    // Let the server refuse what cannot be decoded here.
    if (thrown instanceof Fault && thrown.code === 'AUDIO_FORMAT_UNSUPPORTED') return recording;
    throw thrown;
  }
};
