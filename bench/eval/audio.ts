// Reads the samples of an evaluation file, decoded as in the service. ffmpeg converts formats it does not support.
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { UploadDecoding } from '@faircopy/server/audio';

const SUPPORTED = /\.(wav|ogg|opus|oga|webm)$/i;

const converted = (path: string): { readonly bytes: Readable; readonly ended: Promise<void> } => {
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-i', path, '-f', 'wav', '-c:a', 'pcm_s16le', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve, reject) => {
    ffmpeg.on('error', (cause) => reject(new Error(`ffmpeg is needed to read ${path}`, { cause })));
    ffmpeg.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`ffmpeg could not read ${path}`))));
  });
  return { bytes: ffmpeg.stdout, ended };
};

export const readSamples = async (path: string, decoding: UploadDecoding): Promise<Float32Array[]> => {
  const { bytes, ended } = SUPPORTED.test(path)
    ? { bytes: createReadStream(path), ended: Promise.resolve() }
    : converted(path);
  const decoder = decoding.open({ maxDurationSeconds: 24 * 60 * 60 });
  const writeAll = async (): Promise<void> => {
    for await (const piece of bytes) await decoder.write(piece as Buffer);
    await ended;
    decoder.end();
  };
  const pieces: Float32Array[] = [];
  const read = async (): Promise<void> => {
    for await (const samples of decoder) pieces.push(samples);
  };
  await Promise.all([writeAll(), read()]);
  return pieces;
};
