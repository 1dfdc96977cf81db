// npm run bench:openai [-- svc-1.0-lite]: the OpenAI-compatible endpoint: first text over events, word times, the same text as natively.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isModelId, type ModelId } from '@faircopy/contract';
import { clientOf } from './clients.ts';
import { clipsOfLength, readSentences } from './clips.ts';
import { type Cell, markdownTable } from './markdown-table.ts';
import { pcm16, wavOf } from './pcm-speech.ts';
import { NO_TIMEOUTS } from './sections/section.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { percentile } from './statistics.ts';

const isSmoke = process.argv.includes('--smoke');
/** Word times alone. */
const onlyWordTimes = process.argv.includes('--word-times');
const TIERS = process.argv.slice(2).filter(isModelId);
const LONG_SECONDS = isSmoke ? 60 : 300;
/** An mp3 on a pipe does not say what its encoder has padded. */
/** Longer than everything sent here. */
const ROOM = { FAIRCOPY_MAX_DURATION_SECONDS: '1800' };
const COMPARED_CLIPS = isSmoke ? 2 : 20;

const post = async (
  { url, key }: ServerProcess,
  file: Blob,
  fields: Readonly<Record<string, string>>,
): Promise<Response> => {
  const form = new FormData();
  form.append('file', file, 'audio');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
};

const mp3Of = (wav: Buffer): Blob => {
  const args = ['-v', 'error', '-i', 'pipe:0', '-c:a', 'libmp3lame', '-b:a', '64k', '-f', 'mp3', 'pipe:1'];
  const { stdout, status, stderr } = spawnSync('ffmpeg', args, { input: wav, maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
  return new Blob([new Uint8Array(stdout)]);
};

/** Time to the first text and to the end, and whether the deltas kept their word. */
const measureEvents = async (server: ServerProcess, model: ModelId, file: Blob, format: string) => {
  const startedMs = performance.now();
  const response = await post(server, file, { model, stream: 'true' });
  let firstMs = 0;
  let body = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    body += chunk;
    if (firstMs === 0 && body.includes('transcript.text.delta')) firstMs = performance.now() - startedMs;
  }
  const wholeMs = performance.now() - startedMs;
  const events = body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
  const deltas = events.filter(({ type }) => type === 'transcript.text.delta').map(({ delta }) => delta);
  return {
    model,
    format,
    'audio s': LONG_SECONDS,
    'first text ms': Math.round(firstMs),
    'whole ms': Math.round(wholeMs),
    share: (firstMs / wholeMs).toFixed(3),
    deltas: deltas.length,
    'deltas are the text': deltas.join('') === events.at(-1).text ? 'yes' : 'NO',
  };
};

interface KnownWord {
  readonly word: string;
  readonly startMs: number;
}

interface KnownSpeech {
  readonly wav: Blob;
  readonly words: readonly KnownWord[];
}

/** Synthetic speech that says where each word begins; null without espeak-ng and Python. */
const knownSpeech = (): KnownSpeech | null => {
  const script = fileURLToPath(new URL('../espeak-words.py', import.meta.url));
  const { status, stdout } = spawnSync('python3', [script], { maxBuffer: 1e8, encoding: 'utf8' });
  if (status !== 0) return null;
  const { wav: encoded, words } = JSON.parse(stdout) as { wav: string; words: KnownWord[] };
  return { wav: new Blob([new Uint8Array(Buffer.from(encoded, 'base64'))]), words };
};

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

const measureWordTimes = async (server: ServerProcess, model: ModelId, { wav, words: known }: KnownSpeech) => {
  const fields = { model, response_format: 'verbose_json', 'timestamp_granularities[]': 'word' };
  const response = await post(server, wav, fields);
  const { words } = (await response.json()) as { words: { word: string; start: number }[] };
  const starts: number[] = [];
  let next = 0;
  for (const { word, start } of words) {
    const at = known.findIndex((each, index) => index >= next && index < next + 6 && each.word === letters(word));
    if (at === -1) continue;
    next = at + 1;
    starts.push(start * 1000 - known[at]!.startMs);
  }
  return {
    model,
    words: known.length,
    found: starts.length,
    'start off, median ms': Math.round(percentile(starts.map(Math.abs), 0.5)),
    'start off, p90 ms': Math.round(percentile(starts.map(Math.abs), 0.9)),
    'start late by, median ms': Math.round(percentile(starts, 0.5)),
  };
};

const measureSameText = async (server: ServerProcess, model: ModelId) => {
  const client = clientOf(server);
  const clips = (await readSentences(['en/ls_test_other', 'en/ljspeech'], 120)).slice(0, COMPARED_CLIPS);
  let same = 0;
  for (const { samples } of clips) {
    const file = wavOf(pcm16(samples));
    const { result } = await client.transcribe(file, { model });
    const { text } = (await (await post(server, file, { model })).json()) as { text: string };
    same += text === result.transcript ? 1 : 0;
  }
  return { model, clips: clips.length, 'same text as POST /v1/transcribe': same };
};

const events: Record<string, Cell>[] = [];
const wordTimes: Record<string, Cell>[] = [];
const sameText: Record<string, Cell>[] = [];
const sentences = await readSentences(['en/ls_test_other', 'en/ls_clean'], LONG_SECONDS);
const long = clipsOfLength(sentences, LONG_SECONDS, 1)[0]!;
const wav = wavOf(pcm16(long.samples));
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const mp3 = hasFfmpeg ? mp3Of(Buffer.from(await wav.arrayBuffer())) : null;
const known = knownSpeech();
for (const model of TIERS.length > 0 ? TIERS : (['svc-1.0-lite'] as const)) {
  const server = await startServer('real', { ...NO_TIMEOUTS, ...ROOM, FAIRCOPY_MODELS: model });
  try {
    await post(server, wavOf(pcm16(long.samples.subarray(0, 80_000))), { model });
    if (!onlyWordTimes) events.push(await measureEvents(server, model, wav, 'wav'));
    if (mp3 && !onlyWordTimes) events.push(await measureEvents(server, model, mp3, 'mp3'));
    if (known) wordTimes.push(await measureWordTimes(server, model, known));
    if (!onlyWordTimes) sameText.push(await measureSameText(server, model));
  } finally {
    await server.stop();
  }
}
if (!onlyWordTimes) console.log(`Text over events:\n\n${markdownTable(events)}\n`);
if (known) console.log(`Word times against synthetic speech:\n\n${markdownTable(wordTimes)}\n`);
if (!onlyWordTimes) console.log(`The same text as natively:\n\n${markdownTable(sameText)}`);
