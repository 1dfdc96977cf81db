// How fast uploads are decoded beside ffmpeg, and what memory long ones take (needs ffmpeg).
// Run: npm run bench:decode [-- --smoke] [-- mp3 AAC …], where words pick the formats by name.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUploadDecoding } from '@faircopy/server/audio';
import { markdownTable } from './markdown-table.ts';

const IS_SMOKE = process.argv.includes('--smoke');
const SECONDS = IS_SMOKE ? 2 : 30;
const ROUNDS = IS_SMOKE ? 1 : 5;
/** Lengths whose memory is compared. */
const MEMORY_SECONDS = IS_SMOKE ? [2, 4] : [60, 300, 1500];
const PICKED = process.argv.slice(2).filter((word) => !word.startsWith('--'));

type Row = Record<string, string | number>;
type Format = readonly [name: string, ending: string, options: readonly string[]];

const MP3 = ['-c:a', 'libmp3lame'];
const AAC = ['-c:a', 'aac'];
const FORMATS: readonly Format[] = [
  ['wav pcm16, 16 kHz mono', 'wav', ['-ar', '16000', '-ac', '1', '-c:a', 'pcm_s16le']],
  ['wav pcm16, 44.1 kHz stereo', 'wav', ['-ar', '44100', '-c:a', 'pcm_s16le']],
  ['wav IMA ADPCM, 8 kHz', 'wav', ['-ar', '8000', '-ac', '1', '-c:a', 'adpcm_ima_wav']],
  ['ogg Opus 24 kbit/s', 'ogg', ['-ac', '1', '-c:a', 'libopus', '-b:a', '24k']],
  ['ogg Opus 96 kbit/s stereo', 'ogg', ['-c:a', 'libopus', '-b:a', '96k']],
  ['ogg Vorbis, 44.1 kHz', 'ogg', ['-ar', '44100', '-ac', '1', '-c:a', 'libvorbis', '-q:a', '4']],
  ['ogg Vorbis, 44.1 kHz stereo', 'ogg', ['-ar', '44100', '-c:a', 'libvorbis', '-q:a', '4']],
  ['ogg FLAC, 48 kHz', 'ogg', ['-ar', '48000', '-ac', '1', '-c:a', 'flac']],
  ['webm Opus 32 kbit/s', 'webm', ['-ac', '1', '-c:a', 'libopus', '-b:a', '32k']],
  ['mp3 64 kbit/s, 44.1 kHz', 'mp3', ['-ar', '44100', '-ac', '1', ...MP3, '-b:a', '64k']],
  ['mp3 128 kbit/s, 44.1 kHz stereo', 'mp3', ['-ar', '44100', ...MP3, '-b:a', '128k']],
  ['mp3 of a variable rate, 48 kHz stereo', 'mp3', ['-ar', '48000', ...MP3, '-q:a', '4']],
  ['mp3 32 kbit/s, 16 kHz', 'mp3', ['-ar', '16000', '-ac', '1', ...MP3, '-b:a', '32k']],
  ['m4a AAC 64 kbit/s, 44.1 kHz', 'm4a', ['-ar', '44100', '-ac', '1', ...AAC, '-b:a', '64k']],
  ['m4a AAC 128 kbit/s, 44.1 kHz stereo', 'm4a', ['-ar', '44100', ...AAC, '-b:a', '128k']],
  ['adts AAC 32 kbit/s, 16 kHz', 'aac', ['-ar', '16000', '-ac', '1', ...AAC, '-b:a', '32k']],
  ['m4a ALAC, 44.1 kHz stereo', 'm4a', ['-ar', '44100', '-c:a', 'alac']],
  ['flac, 44.1 kHz stereo', 'flac', ['-ar', '44100', '-c:a', 'flac']],
  ['aiff pcm16, 44.1 kHz stereo', 'aiff', ['-ar', '44100', '-c:a', 'pcm_s16be']],
];
const MEMORY_FORMATS: readonly Format[] = [
  ['mp3 128 kbit/s stereo', 'mp3', ['-ar', '44100', ...MP3, '-b:a', '128k']],
  [
    'm4a AAC 128 kbit/s stereo, index first',
    'm4a',
    ['-ar', '44100', ...AAC, '-b:a', '128k', '-movflags', '+faststart'],
  ],
  ['m4a AAC 128 kbit/s stereo, index last', 'm4a', ['-ar', '44100', ...AAC, '-b:a', '128k']],
];

/** Pink noise with a tremolo, one side later than the other: as hard to decode as speech, and made by ffmpeg alone. */
const sourceOf = (seconds: number): string =>
  `anoisesrc=color=pink:duration=${seconds}:amplitude=0.3:seed=1:sample_rate=48000,tremolo=f=4:d=0.8,` +
  'asplit[a][b];[a]adelay=7[c];[c][b]join=inputs=2:channel_layout=stereo';

const ffmpeg = (args: readonly string[]): string => {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-y', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${stderr}`);
  return stderr;
};

const makeFile = (folder: string, [, ending, options]: Format, seconds: number): string => {
  const path = join(folder, `sound.${ending}`);
  ffmpeg(['-f', 'lavfi', '-i', sourceOf(seconds), ...options, path]);
  return path;
};

const decoding = createUploadDecoding({ threads: 1 });

/** Decodes in pieces, as uploads come; returns the largest memory of the process seen on the way. */
const decode = async (file: Uint8Array, seconds: number): Promise<number> => {
  const decoder = decoding.open({ maxDurationSeconds: seconds + 1, formats: 'all' });
  let peakBytes = 0;
  const writing = (async () => {
    for (let at = 0; at < file.length; at += 64 * 1024) await decoder.write(file.subarray(at, at + 64 * 1024));
    decoder.end();
  })();
  for await (const _samples of decoder) peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  await writing;
  return peakBytes;
};

interface Cost {
  readonly wallMs: number;
  /** All threads of the process, the garbage collector's too. */
  readonly cpuMs: number;
}

const decodeCost = async (file: Uint8Array): Promise<Cost> => {
  const startMs = performance.now();
  const cpu = process.cpuUsage();
  await decode(file, SECONDS);
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - startMs, cpuMs: (user + system) / 1000 };
};

/** The same work by ffmpeg on one thread: decode, mix to mono, resample to 16 kHz. Its own start is counted in. */
const ffmpegCpuMs = (path: string): number => {
  const args = [
    '-benchmark',
    '-threads',
    '1',
    '-i',
    path,
    '-threads',
    '1',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-f',
    'null',
    '-',
  ];
  const [, user, system] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(ffmpeg(args)) ?? [];
  return (Number(user) + Number(system)) * 1000;
};

const speedRow = async (folder: string, format: Format): Promise<Row> => {
  const path = makeFile(folder, format, SECONDS);
  const file = readFileSync(path);
  await decodeCost(file);
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await decodeCost(file));
  const peers = Array.from({ length: ROUNDS }, () => ffmpegCpuMs(path));
  const timesRealTime = (ms: readonly number[]): number => Math.round((SECONDS * 1000) / Math.max(1, Math.min(...ms)));
  return {
    format: format[0],
    'file kB': Math.round(file.length / 1024),
    'x real time': timesRealTime(costs.map(({ wallMs }) => wallMs)),
    'x of CPU time': timesRealTime(costs.map(({ cpuMs }) => cpuMs)),
    'ffmpeg, x of CPU time': timesRealTime(peers),
  };
};

const memoryRow = async (folder: string, format: Format): Promise<Row> => {
  const row: Row = { format: format[0] };
  for (const seconds of MEMORY_SECONDS) {
    const file = readFileSync(makeFile(folder, format, seconds));
    await decode(file, seconds);
    row[`${seconds} s: file MB`] = (file.length / 2 ** 20).toFixed(1);
    row[`${seconds} s: peak MB`] = Math.round((await decode(file, seconds)) / 2 ** 20);
  }
  return row;
};

const isPicked = ([name]: Format): boolean => PICKED.length === 0 || PICKED.some((word) => name.includes(word));

const printTable = async (
  formats: readonly Format[],
  measure: (folder: string, format: Format) => Promise<Row>,
): Promise<void> => {
  const rows: Row[] = [];
  for (const format of formats.filter(isPicked)) rows.push(await measure(folder, format));
  if (rows.length > 0) console.log(`${markdownTable(rows)}\n`);
};

const folder = mkdtempSync(join(tmpdir(), 'faircopy-bench-'));
try {
  await printTable(FORMATS, speedRow);
  await printTable(MEMORY_FORMATS, memoryRow);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await decoding.close();
}
