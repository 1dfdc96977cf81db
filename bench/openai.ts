// npm run bench:openai [-- svc-1.0-lite]: the OpenAI-compatible endpoint: first text over events, word times, the same text as natively.
import { spawnSync } from 'node:child_process';
import { isModelId, type ModelId } from '@faircopy/contract';
import { createUploadDecoding, joinSamples } from '@faircopy/server/audio';
import { clientOf } from './clients.ts';
import { clipsOfLength, readSentences } from './clips.ts';
import { type Cell, markdownTable } from './markdown-table.ts';
import { pcm16, wavOf } from './pcm-speech.ts';
import { NO_TIMEOUTS } from './sections/section.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { percentile } from './statistics.ts';

const isSmoke = process.argv.includes('--smoke');
const TIERS = process.argv.slice(2).filter(isModelId);
const LONG_SECONDS = isSmoke ? 60 : 300;
/** An mp3 on a pipe does not say what its encoder has padded. */
const ROOM = { FAIRCOPY_MAX_DURATION_SECONDS: String(LONG_SECONDS + 1) };
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
  const plain = (await (await post(server, file, { model })).json()) as { text: string };
  return {
    model,
    format,
    'audio s': LONG_SECONDS,
    'first text ms': Math.round(firstMs),
    'whole ms': Math.round(wholeMs),
    share: (firstMs / wholeMs).toFixed(3),
    deltas: deltas.length,
    'deltas are the text': deltas.join('') === events.at(-1).text ? 'yes' : 'NO',
    'text as without events': events.at(-1).text === plain.text ? 'yes' : 'no',
  };
};

const SPOKEN = [
  'the children walked slowly along the river before breakfast',
  'my brother bought seventeen green apples at the market',
  'winter mornings are often dark and terribly cold',
  'please remember to close the window when you leave',
  'our teacher explained the difficult question again yesterday',
  'a heavy wooden table stood beside the kitchen door',
];

interface KnownWord {
  readonly word: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Words synthesised one by one and put together, so that the time of each is known to the sample. */
const knownSpeech = async (): Promise<{ samples: Float32Array; words: KnownWord[] } | null> => {
  if (spawnSync('espeak-ng', ['--version']).status !== 0) return null;
  const decoding = createUploadDecoding({ threads: 1 });
  const pieces: Float32Array[] = [new Float32Array(8_000)];
  const words: KnownWord[] = [];
  let length = 8_000;
  const add = (piece: Float32Array): void => {
    pieces.push(piece);
    length += piece.length;
  };
  try {
    for (const sentence of SPOKEN) {
      for (const word of sentence.split(' ')) {
        const { stdout } = spawnSync('espeak-ng', ['-v', 'en-us', '-s', '150', '--stdout', word]);
        const decoder = decoding.open({ maxDurationSeconds: 10 });
        const writing = decoder.write(stdout).then(() => decoder.end());
        const parts: Float32Array[] = [];
        for await (const samples of decoder) parts.push(samples);
        await writing;
        const sound = trimmed(joinSamples(parts));
        words.push({ word, startMs: length / 16, endMs: (length + sound.length) / 16 });
        add(sound);
        add(new Float32Array(640));
      }
      add(new Float32Array(9_600));
    }
  } finally {
    await decoding.close();
  }
  return { samples: joinSamples(pieces), words };
};

const trimmed = (samples: Float32Array): Float32Array => {
  const isLoud = (sample: number): boolean => Math.abs(sample) > 0.01;
  return samples.slice(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
};

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

const measureWordTimes = async (server: ServerProcess, model: ModelId, samples: Float32Array, known: KnownWord[]) => {
  const fields = { model, response_format: 'verbose_json', 'timestamp_granularities[]': 'word' };
  const response = await post(server, wavOf(pcm16(samples)), fields);
  const { words } = (await response.json()) as { words: { word: string; start: number; end: number }[] };
  const starts: number[] = [];
  const ends: number[] = [];
  let next = 0;
  for (const { word, start, end } of words) {
    const at = known.findIndex((each, index) => index >= next && index < next + 6 && each.word === letters(word));
    if (at === -1) continue;
    next = at + 1;
    starts.push(Math.abs(start * 1000 - known[at]!.startMs));
    ends.push(Math.abs(end * 1000 - known[at]!.endMs));
  }
  return {
    model,
    words: known.length,
    found: starts.length,
    'start, median ms': Math.round(percentile(starts, 0.5)),
    'start, p90 ms': Math.round(percentile(starts, 0.9)),
    'end, median ms': Math.round(percentile(ends, 0.5)),
    'end, p90 ms': Math.round(percentile(ends, 0.9)),
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
const known = await knownSpeech();
for (const model of TIERS.length > 0 ? TIERS : (['svc-1.0-lite'] as const)) {
  const server = await startServer('real', { ...NO_TIMEOUTS, ...ROOM, FAIRCOPY_MODELS: model });
  try {
    await post(server, wavOf(pcm16(long.samples.subarray(0, 80_000))), { model });
    events.push(await measureEvents(server, model, wav, 'wav'));
    if (mp3) events.push(await measureEvents(server, model, mp3, 'mp3'));
    if (known) wordTimes.push(await measureWordTimes(server, model, known.samples, known.words));
    sameText.push(await measureSameText(server, model));
  } finally {
    await server.stop();
  }
}
console.log(`Text over events:\n\n${markdownTable(events)}\n`);
console.log(`Word times against synthetic speech:\n\n${markdownTable(wordTimes)}\n`);
console.log(`The same text as natively:\n\n${markdownTable(sameText)}`);
