// Uses ffmpeg as a reference in audio tests: encodes formats that the tests cannot write, and decodes files.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const found = spawnSync('ffmpeg', ['-version']).status === 0;
/** For node:test's skip option. */
export const withoutFfmpeg: false | string = found ? false : 'ffmpeg is not installed';

const run = (args: readonly string[]): void => {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { timeout: 60_000 });
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr}`);
};

const inFolder = <T>(use: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'faircopy-audio-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Encodes a wav file to another format. */
export const encode = (wav: Uint8Array, ending: string, options: readonly string[]): Uint8Array =>
  inFolder((folder) => {
    writeFileSync(join(folder, 'in.wav'), wav);
    run(['-i', join(folder, 'in.wav'), '-bitexact', ...options, join(folder, `out.${ending}`)]);
    return new Uint8Array(readFileSync(join(folder, `out.${ending}`)));
  });

/** Decodes a file to 16 kHz mono; two channels are averaged. */
export const decode = (file: Uint8Array, ending: string, channels: 1 | 2 = 1): Float32Array =>
  inFolder((folder) => {
    writeFileSync(join(folder, `in.${ending}`), file);
    const output = join(folder, 'out.raw');
    const mix = channels === 2 ? 'pan=mono|c0=0.5*c0+0.5*c1,' : '';
    const filter = `${mix}aresample=16000:resampler=soxr:precision=28`;
    run(['-i', join(folder, `in.${ending}`), '-af', filter, '-f', 'f32le', output]);
    const bytes = readFileSync(output);
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).slice();
  });

/** Signal-to-noise ratio between two signals over the shorter length, in decibels. */
export const snrDb = (expected: Float32Array, actual: Float32Array): number => {
  let signal = 0;
  let noise = 0;
  for (let at = 0; at < Math.min(expected.length, actual.length); at++) {
    signal += expected[at]! ** 2;
    noise += (expected[at]! - actual[at]!) ** 2;
  }
  return noise === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10(signal / noise);
};
