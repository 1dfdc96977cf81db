// Sends one long recording to the OpenAI endpoint, as a job and from the command line, and measures time and memory.
// Run: npm run bench:long [-- --minutes 120 --model svc-1.0-lite] [--smoke]. Fails if memory grows with the recording.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spoken, story } from '#testing';
import { hasRecordings, RATE_HZ, readSentences } from './clips.ts';
import { markdownTable } from './markdown-table.ts';
import { processCost } from './process-cost.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const { values: asked } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    model: { type: 'string', default: 'svc-1.0-lite' },
    smoke: { type: 'boolean', default: false },
  },
});
const SECONDS = asked.smoke ? 60 : Number(asked.minutes) * 60;
const SAMPLE_EVERY_MS = asked.smoke ? 250 : 1_000;
/** Peak memory of the second half of a run may be at most this multiple of the first half's. */
const GROWTH_MAX = 1.2;
const FAIRCOPY = fileURLToPath(new URL('../../packages/server/bin/faircopy.js', import.meta.url));

/** Writes a mono wav file that repeats the speech. */
const writeRecording = async (path: string): Promise<void> => {
  const sentences = asked.smoke ? [] : await readSentences(['en/librispeech', 'en/vctk'], 120);
  const parts = sentences.length > 0 ? sentences.map(({ samples }) => samples) : [spoken(story(20))];
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + SECONDS * RATE_HZ * 2, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE_HZ, 24);
  header.writeUInt32LE(RATE_HZ * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(SECONDS * RATE_HZ * 2, 40);
  const file = createWriteStream(path);
  file.write(header);
  for (let left = SECONDS * RATE_HZ, nth = 0; left > 0; nth += 1) {
    const samples = parts[nth % parts.length]!.subarray(0, left);
    left -= samples.length;
    if (!file.write(Int16Array.from(samples, (sample) => sample * 32_767))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
};

const viaOpenAi = async ({ url, key }: ServerProcess, path: string): Promise<string> => {
  const form = new FormData();
  form.append('model', asked.model);
  form.append('response_format', 'text');
  form.append('file', await openAsBlob(path), 'long.wav');
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  return said;
};

const viaJob = async ({ url, key }: ServerProcess, path: string): Promise<string> => {
  const form = new FormData();
  form.append('model', asked.model);
  form.append('audio', await openAsBlob(path), 'long.wav');
  const headers = { authorization: `Token ${key}` };
  const created = (await (await fetch(`${url}/v1/jobs`, { method: 'POST', headers, body: form })).json()) as JobAnswer;
  for (;;) {
    const { job, answer } = (await (await fetch(`${url}/v1/jobs/${created.job.id}`, { headers })).json()) as JobAnswer;
    if (answer) return answer.result.transcript;
    if (job.state === 'failed') throw new Error(JSON.stringify(job.error));
    await sleep(SAMPLE_EVERY_MS);
  }
};

interface JobAnswer {
  readonly job: { readonly id: string; readonly state: string; readonly error: unknown };
  readonly answer?: { readonly result: { readonly transcript: string } };
}

const commandMemory: number[] = [];
const viaCommand = async ({ url, key }: ServerProcess, path: string): Promise<string> => {
  const env = { ...process.env, FAIRCOPY_URL: url, FAIRCOPY_API_KEY: key };
  const args = [FAIRCOPY, 'transcribe', path, '--model', asked.model];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const sampling = setInterval(async () => {
    commandMemory.push((await processCost(child.pid!)).rssBytes);
  }, SAMPLE_EVERY_MS);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(sampling);
  if (code !== 0) throw new Error(`faircopy transcribe ended with ${code}`);
  return said;
};

const mb = (bytes: number): number => Math.round(bytes / 1e6);
const peak = (samples: readonly number[]): number => Math.max(0, ...samples);

const folder = await mkdtemp(join(tmpdir(), 'faircopy-long-'));
const recording = join(folder, 'long.wav');
await writeRecording(recording);
const engine = asked.smoke || !hasRecordings ? 'scripted' : 'real';
const server = await startServer(engine, { FAIRCOPY_MODELS: asked.model });
const rows: Record<string, string | number>[] = [];
let grew = 0;
try {
  for (const [name, send] of Object.entries({ OpenAI: viaOpenAi, job: viaJob, command: viaCommand })) {
    const memory: number[] = [(await server.cost()).rssBytes];
    const sampling = setInterval(async () => {
      memory.push((await server.cost()).rssBytes);
    }, SAMPLE_EVERY_MS);
    const startMs = performance.now();
    const said = await send(server, recording);
    clearInterval(sampling);
    const half = Math.ceil(memory.length / 2);
    const [first, second] = [peak(memory.slice(0, half)), peak(memory.slice(half))];
    if (second > first * GROWTH_MAX) grew += 1;
    const seconds = Math.round((performance.now() - startMs) / 1000);
    rows.push({
      path: name,
      seconds,
      words: said.split(/\s+/).length,
      before: mb(memory[0]!),
      'peak, first half': mb(first),
      'peak, second half': mb(second),
    });
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${SECONDS / 60} minutes of audio, ${asked.model}, ${engine} engine. Server with its processes, in MB:\n`);
console.log(markdownTable(rows));
console.log(`\nThe command line client: at most ${mb(peak(commandMemory))} MB.`);
if (!asked.smoke && grew > 0) {
  console.error('memory grew with the recording');
  process.exitCode = 1;
}
