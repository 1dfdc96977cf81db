// Audio of an evaluation file as the service would hear it: what the service does not take is unpacked by ffmpeg first.
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { UploadDecoding } from '@faircopy/server/dist/src/audio/decode.js';

const TAKEN_AS_IT_IS = /\.(wav|ogg|opus|oga|webm)$/i;

const unpacked = (path: string): { readonly bytes: Readable; readonly ended: Promise<void> } => {
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
  const { bytes, ended } = TAKEN_AS_IT_IS.test(path)
    ? { bytes: createReadStream(path), ended: Promise.resolve() }
    : unpacked(path);
  const decoder = decoding.open({ maxDurationSeconds: 24 * 60 * 60 });
  const feed = async (): Promise<void> => {
    for await (const piece of bytes) await decoder.write(piece as Buffer);
    await ended;
    decoder.end();
  };
  const pieces: Float32Array[] = [];
  const read = async (): Promise<void> => {
    for await (const samples of decoder) pieces.push(samples);
  };
  await Promise.all([feed(), read()]);
  return pieces;
};
