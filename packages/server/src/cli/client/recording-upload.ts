// Prepares a recording for upload: wav, ogg and webm stay as they are; others, which may be refused, are decoded.
import { constants, createReadStream, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import type { UploadDecoder, UploadDecoding } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';
import { wavHeader } from '../../lib/wav-header.ts';

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

const WAV_SAMPLES = { format: { kind: 'signed', bytes: 2 }, sampleRateHz: SAMPLE_RATE_HZ, channels: 1 } as const;

/** A 16 kHz mono wav file of 16-bit samples. */
const wavOf = (pieces: readonly Float32Array[]): Blob => {
  const count = pieces.reduce((total, { length }) => total + length, 0);
  const header = wavHeader(WAV_SAMPLES, count * WAV_SAMPLES.format.bytes);
  const pcm16 = pieces.map((samples) =>
    Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)))),
  );
  return new Blob([header, ...pcm16]);
};

/** Writes a recording to a decoder while the caller reads it, which fails when the recording cannot be read. */
export const feed = (decoder: UploadDecoder, recording: Blob): void => {
  const writing = (async () => {
    for await (const chunk of recording.stream()) await decoder.write(chunk);
    decoder.end();
  })();
  writing.catch(() => decoder.abort());
};

const decoded = async (recording: Blob, decoding: UploadDecoding): Promise<Blob> => {
  const decoder = decoding.open({ maxDurationSeconds: DECODED_SECONDS_MAX, formats: 'all' });
  feed(decoder, recording);
  const pieces: Float32Array[] = [];
  for await (const samples of decoder) pieces.push(samples);
  return wavOf(pieces);
};

/** Returns the recording in a format that every server accepts. */
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
