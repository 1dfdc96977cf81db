// How fast uploads are decoded: times real time per format, on one thread. Run: npm run bench:decode [-- --smoke] (needs ffmpeg).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUploadDecoding } from '@faircopy/server/audio';
import { markdownTable } from './markdown-table.ts';

const SECONDS = process.argv.includes('--smoke') ? 2 : 30;
const ROUNDS = 2;
const FORMATS: readonly (readonly [string, string, readonly string[]])[] = [
  ['wav pcm16, 16 kHz mono', 'wav', ['-ar', '16000', '-c:a', 'pcm_s16le']],
  ['wav pcm16, 44.1 kHz stereo', 'wav', ['-ar', '44100', '-ac', '2', '-c:a', 'pcm_s16le']],
  ['wav IMA ADPCM, 8 kHz', 'wav', ['-ar', '8000', '-c:a', 'adpcm_ima_wav']],
  ['ogg Opus 24 kbit/s', 'ogg', ['-c:a', 'libopus', '-b:a', '24k']],
  ['ogg Opus 96 kbit/s stereo', 'ogg', ['-ac', '2', '-c:a', 'libopus', '-b:a', '96k']],
  ['ogg Vorbis, 44.1 kHz', 'ogg', ['-ar', '44100', '-c:a', 'libvorbis', '-q:a', '4']],
  ['ogg Vorbis, 44.1 kHz stereo', 'ogg', ['-ar', '44100', '-ac', '2', '-c:a', 'libvorbis', '-q:a', '4']],
  ['ogg FLAC, 48 kHz', 'ogg', ['-ar', '48000', '-c:a', 'flac']],
  ['webm Opus 32 kbit/s', 'webm', ['-c:a', 'libopus', '-b:a', '32k']],
];

/** Pink noise with a tremolo: as hard to decode as speech, and made by ffmpeg alone. */
const SOURCE = `anoisesrc=color=pink:duration=${SECONDS}:amplitude=0.3:seed=1:sample_rate=48000,tremolo=f=4:d=0.8`;

const makeFile = (folder: string, ending: string, options: readonly string[]): Uint8Array => {
  const path = join(folder, `sound.${ending}`);
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', SOURCE, ...options, path]);
  if (status !== 0) throw new Error(`ffmpeg could not make ${ending}: ${stderr}`);
  return readFileSync(path);
};

const decoding = createUploadDecoding({ threads: 1 });

const decodeMs = async (file: Uint8Array): Promise<number> => {
  const startMs = performance.now();
  const decoder = decoding.open({ maxDurationSeconds: SECONDS + 1 });
  const writing = decoder.write(file).then(() => decoder.end());
  for await (const _samples of decoder);
  await writing;
  return performance.now() - startMs;
};

const folder = mkdtempSync(join(tmpdir(), 'faircopy-bench-'));
try {
  const rows = [];
  for (const [format, ending, options] of FORMATS) {
    const file = makeFile(folder, ending, options);
    await decodeMs(file);
    let bestMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) bestMs = Math.min(bestMs, await decodeMs(file));
    rows.push({
      format,
      'file kB': Math.round(file.length / 1024),
      'x real time': Math.round((SECONDS * 1000) / bestMs),
    });
  }
  console.log(markdownTable(rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
  await decoding.close();
}
