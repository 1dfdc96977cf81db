import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { successResponse } from '@faircopy/contract';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { encode, withoutFfmpeg } from '../audio/ffmpeg.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { type Service, startService } from '../http/service.ts';
import { BIN, emptyFolder } from './run-cli.ts';

const WORDS = story(12);
const SPEECH = pcm16Bytes(spoken(WORDS));

interface Target extends Pick<Service, 'url' | 'key'> {
  /** The folder for notes about unfinished jobs. */
  readonly cache?: string;
}

/** Runs the command line against the server. */
const start = ({ url, key, cache }: Target, ...args: string[]): ChildProcess => {
  const env = { ...process.env, FAIRCOPY_URL: url, FAIRCOPY_API_KEY: key, ...(cache && { XDG_CACHE_HOME: cache }) };
  return spawn(process.execPath, [BIN, ...args], { env, timeout: 60_000 });
};
/** Files without hidden ones, such as the log of where transcripts came from. */
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => !/(^|\/)\./.test(name)).sort();
const outcomeOf = async (child: ChildProcess) => {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  return { stdout, stderr, code };
};
const run = (service: Target, ...args: string[]) => {
  const child = start(service, ...args);
  child.stdin?.end();
  return outcomeOf(child);
};
const folderWith = async (t: TestContext, files: Record<string, Uint8Array>): Promise<string> => {
  const folder = await emptyFolder(t);
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return folder;
};

test('transcribe prints only the transcript, and complete answers with --json', async (t) => {
  const service = await startService(t);
  const folder = await folderWith(t, { 'a.wav': writeWav(SPEECH) });
  const plain = await run(service, 'transcribe', join(folder, 'a.wav'), '--model', 'svc-1.0-lite');
  assert.deepEqual(plain, { stdout: `${WORDS.join(' ')}\n`, stderr: '', code: 0 });
  const json = await run(service, 'transcribe', '--json', join(folder, 'a.wav'));
  const { file, ...answer } = JSON.parse(json.stdout);
  assert.equal(file, join(folder, 'a.wav'));
  assert.equal(successResponse.strict().parse(answer).result.transcript, WORDS.join(' '));
});

test('transcribe reads standard input, and prints several files in order', async (t) => {
  const service = await startService(t);
  const child = start(service, 'transcribe', '-');
  child.stdin?.end(writeWav(SPEECH));
  assert.equal((await outcomeOf(child)).stdout, `${WORDS.join(' ')}\n`);
  const names = ['apple', 'river', 'table'];
  const folder = await folderWith(
    t,
    Object.fromEntries(names.map((name) => [`${name}.wav`, writeWav(pcm16Bytes(spoken([name])))])),
  );
  const files = names.map((name) => join(folder, `${name}.wav`));
  const many = await run(service, 'transcribe', '--json', '--concurrency', '3', ...files);
  const answers = many.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ file }) => file),
    files,
  );
  assert.deepEqual(
    answers.map(({ result }) => result.transcript),
    names,
  );
});

test('exit codes distinguish a bad file, a bad key and an unreachable server', async (t) => {
  const service = await startService(t);
  const folder = await folderWith(t, { 'bad.wav': Buffer.from('not audio at all'), 'a.wav': writeWav(SPEECH) });
  const bad = await run(service, 'transcribe', join(folder, 'bad.wav'));
  assert.equal(bad.code, 65);
  assert.match(bad.stderr, /request [0-9A-Z]{26}/);
  const nothing = await run(service, 'transcribe', await folderWith(t, { 'notes.md': Buffer.from('hello') }));
  assert.equal(nothing.code, 65);
  assert.match(nothing.stderr, /no recordings/);
  assert.equal((await run({ ...service, key: 'fc_wrong' }, 'transcribe', join(folder, 'a.wav'))).code, 64);
  assert.equal((await run({ ...service, key: '' }, 'transcribe', join(folder, 'a.wav'))).code, 64);
  assert.equal((await run({ ...service, url: 'http://127.0.0.1:9' }, 'transcribe', join(folder, 'a.wav'))).code, 69);
  assert.equal((await run(service, 'transcribe', '--model', 'svc-9', join(folder, 'a.wav'))).code, 64);
});

test('transcribe writes subtitles, to a file or to standard output', async (t) => {
  const service = await startService(t);
  const folder = await folderWith(t, { 'a.wav': writeWav(SPEECH) });
  const printed = await run(service, 'transcribe', join(folder, 'a.wav'), '--format', 'srt');
  assert.match(printed.stdout, /^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n/);
  assert.equal(printed.code, 0);
  const output = join(folder, 'subtitles.vtt');
  const written = await run(service, 'transcribe', join(folder, 'a.wav'), '--format', 'vtt', '-o', output);
  assert.deepEqual(written, { stdout: '', stderr: '', code: 0 });
  const lines = (await readFile(output, 'utf8')).split('\n');
  assert.equal(lines[0], 'WEBVTT');
  assert.equal(lines.filter((line) => /^[a-z]/.test(line)).join(' '), WORDS.join(' '));
});

test('transcribe reads folders, and a second run does only what is missing', async (t) => {
  const service = await startService(t);
  const clip = writeWav(pcm16Bytes(spoken(['river'])));
  const folder = await folderWith(t, {
    'a.wav': clip,
    'b.wav': clip,
    'b.ogg': Buffer.from('OggS, cut'),
    'notes.txt': clip,
  });
  await mkdir(join(folder, 'deep'));
  await writeFile(join(folder, 'deep', 'c.wav'), clip);
  const output = join(folder, 'out');
  const first = await run(service, 'transcribe', folder, '-o', output);
  assert.equal(first.code, 1, 'one of them is damaged');
  assert.match(first.stderr, /b\.ogg/);
  assert.match(first.stderr, /3 written, 0 skipped \(up to date\), 1 failed\./);
  assert.deepEqual(await filesIn(output), ['a.txt', 'b.wav.txt', 'deep', 'deep/c.txt']);
  assert.equal(await readFile(join(output, 'deep', 'c.txt'), 'utf8'), 'river\n');
  const before = (await service.rows()).length;
  await rm(join(output, 'a.txt'));
  const second = await run(service, 'transcribe', folder, '-o', output);
  assert.match(second.stderr, /1 written, 2 skipped \(up to date; --force writes them again\), 1 failed\./);
  assert.equal((await service.rows()).length, before + 2);
  assert.equal(await readFile(join(output, 'a.txt'), 'utf8'), 'river\n');
});

test('two recordings never share a transcript, and a transcript is never taken for that of another', async (t) => {
  const service = await startService(t);
  const clipOf = (word: string) => writeWav(pcm16Bytes(spoken([word])));
  const folder = await folderWith(t, { 'a.wav': clipOf('river') });
  const output = join(folder, 'out');
  assert.equal((await run(service, 'transcribe', folder, '-o', output)).code, 0);
  assert.deepEqual(await filesIn(output), ['a.txt']);
  // A second recording of the same name appears: both get distinct names.
  await writeFile(join(folder, 'a.wave'), clipOf('table'));
  assert.equal((await run(service, 'transcribe', folder, '-o', output)).code, 0);
  assert.equal(await readFile(join(output, 'a.wav.txt'), 'utf8'), 'river\n');
  assert.equal(await readFile(join(output, 'a.wave.txt'), 'utf8'), 'table\n');
  // Another recording under a name that has a transcript.
  await rm(join(folder, 'a.wav'));
  const other = await run(service, 'transcribe', folder, '-o', output);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /a\.txt exists and did not come from this recording; --force replaces it/);
  assert.equal(await readFile(join(output, 'a.txt'), 'utf8'), 'river\n');
  // A recording that changed is transcribed again; one that was only touched is not.
  await writeFile(join(folder, 'b.wav'), clipOf('river'));
  await rm(join(folder, 'a.wave'));
  await run(service, 'transcribe', folder, '-o', output);
  const rows = (await service.rows()).length;
  await utimes(join(folder, 'b.wav'), new Date(), new Date());
  assert.match((await run(service, 'transcribe', folder, '-o', output)).stderr, /0 written, 1 skipped/);
  assert.equal((await service.rows()).length, rows);
  await writeFile(join(folder, 'b.wav'), clipOf('table'));
  assert.equal((await run(service, 'transcribe', folder, '-o', output)).code, 0);
  assert.equal(await readFile(join(output, 'b.txt'), 'utf8'), 'table\n');
});

test('a missing recording is reported in a sentence', async (t) => {
  const missing = await run({ url: 'http://127.0.0.1:9', key: 'fc_x' }, 'transcribe', join(tmpdir(), 'no-such.wav'));
  assert.match(missing.stderr, /no-such\.wav: There is no such file or folder\.\n$/);
  assert.equal(missing.code, 65);
  t.diagnostic('no server is needed');
});

test('a recording that is too long for one request is sent as a job, and Ctrl-C leaves the job to the next run', async (t) => {
  const service = await startService(t);
  const long = new Float32Array(301 * 16_000);
  long.set(spoken(WORDS));
  const folder = await folderWith(t, { 'a.wav': writeWav(pcm16Bytes(long)) });
  const cached = { ...service, cache: folder };
  const file = join(folder, 'a.wav');
  service.engine.hold();
  const child = start(cached, 'transcribe', file);
  await service.engine.until((engine) => engine.asked.length > 0);
  child.kill('SIGINT');
  const interrupted = await outcomeOf(child);
  assert.notEqual(interrupted.code, 0);
  assert.match(interrupted.stderr, /Job [0-9A-Z]{26} continues on the server\. Run the same command again/);
  service.engine.release();
  const heard = await run(cached, 'transcribe', file);
  assert.deepEqual(heard, { stdout: `${WORDS.join(' ')}\n`, stderr: '', code: 0 });
  assert.equal((await service.rows()).length, 1, 'one job did the work of both runs');
  const created = await run(service, 'jobs', 'create', file, '--model', 'svc-1.0-lite');
  assert.match(created.stdout, /^[0-9A-Z]{26}\n$/);
});

test('transcribe decodes formats that the server does not accept', { skip: withoutFfmpeg }, async (t) => {
  const service = await startService(t);
  const folder = await folderWith(t, { 'a.mp3': encode(writeWav(SPEECH), 'mp3', ['-b:a', '128k']) });
  const heard = await run(service, 'transcribe', join(folder, 'a.mp3'));
  assert.deepEqual(heard, { stdout: `${WORDS.join(' ')}\n`, stderr: '', code: 0 });
});

test('listen reads raw audio and wav from a pipe', async (t) => {
  const service = await startService(t);
  const raw = start(service, 'listen', '--model', 'svc-1.0-lite');
  raw.stdin?.end(SPEECH);
  assert.deepEqual(await outcomeOf(raw), { stdout: `${WORDS.join(' ')}\n`, stderr: '', code: 0 });
  const samples = spoken(WORDS);
  const doubled = Float32Array.from({ length: samples.length * 2 }, (_, at) => samples[at >> 1] ?? 0);
  const wav = start(service, 'listen', '--json');
  wav.stdin?.end(writeWav(pcm16Bytes(doubled), { sampleRateHz: 32_000 }));
  const answer = successResponse.strict().parse(JSON.parse((await outcomeOf(wav)).stdout));
  assert.equal(answer.result.transcript, WORDS.join(' '));
  const eightBit = start(service, 'listen');
  eightBit.stdin?.end(writeWav(SPEECH, { bits: 8 }));
  assert.equal((await outcomeOf(eightBit)).code, 65);
});

test('Ctrl-C ends the audio of listen, and its transcript is printed', async (t) => {
  const service = await startService(t);
  const child = start(service, 'listen');
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(pcm16Bytes(joined(spoken(WORDS), quiet(2))));
  // At the pause, the speech is recognised while the pipe is still open, which shows that it has arrived.
  await service.engine.until((engine) => engine.asked.length > 0);
  child.kill('SIGINT');
  const { stdout, code } = await outcomeOf(child);
  assert.equal(stdout, `${WORDS.join(' ')}\n`);
  assert.equal(code, 0);
});

test('transcribe reads terms from a file, and says when it cannot', async (t) => {
  const service = await startService(t);
  const terms = Buffer.from('# names\nNguyen (sounds like win)\n\nKubernetes\n');
  const folder = await folderWith(t, {
    'a.wav': writeWav(SPEECH),
    'terms.txt': terms,
    'long.txt': Buffer.alloc(200, 'a'),
  });
  const vocabulary = (name: string) => ['transcribe', join(folder, 'a.wav'), '--vocabulary', join(folder, name)];
  assert.equal((await run(service, ...vocabulary('terms.txt'))).stdout, `${WORDS.join(' ')}\n`);
  const long = await run(service, ...vocabulary('long.txt'));
  assert.match(long.stderr, /1 to 100 characters/);
  const absent = await run(service, ...vocabulary('absent.txt'));
  assert.match(absent.stderr, /terms cannot be read/);
  assert.notEqual(absent.code, 0);
});
