// Streams paced in real time: how long the result takes after close_stream, against file mode on the same audio.
// Run: npm run bench:stream [-- --smoke | --scripted] [--tiers svc-1.0-lite,…] [--streams 1,4,8,16] [--seconds 32]
import { setTimeout as later } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Faircopy } from '@faircopy/client';
import { MODEL_IDS, type ModelId, modelId } from '@faircopy/contract';
import { percentile } from './figures.ts';
import { type ServerChild, startServer } from './server-child.ts';
import { BYTES_PER_SECOND, realSpeech, toneSpeech, wavOf } from './speech.ts';
import { markdownTable } from './table.ts';

const { values: asked } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    scripted: { type: 'boolean', default: false },
    tiers: { type: 'string' },
    streams: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const FRAME_MS = 100;
const FILE_ROUNDS = 3;
/** Silence before the close, in the second half of the table. */
const SILENCE_SECONDS = 1.5;
/** Streams start apart, as people do. */
const SPREAD_MS = 1_000;
/** A stream alone is measured this often, with other words at its end each time. */
const ROUNDS_ALONE = asked.smoke ? 1 : 3;

const engine = asked.smoke || asked.scripted ? 'scripted' : 'real';
const seconds = Number(asked.seconds ?? (asked.smoke ? 3 : 32));
const tiers = (asked.tiers?.split(',') ?? (asked.smoke ? ['svc-1.0-lite'] : MODEL_IDS)).map((id) => modelId.parse(id));
const counts = (asked.streams ?? (asked.smoke ? '1,4' : '1,4,8,16')).split(',').map(Number);
const FRAME_BYTES = (BYTES_PER_SECOND * FRAME_MS) / 1000;

const fileMs = async (client: Faircopy, model: ModelId, audio: Buffer): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < FILE_ROUNDS; round += 1) {
    const start = performance.now();
    await client.transcribe(wavOf(audio), { model });
    times.push(performance.now() - start);
  }
  return percentile(times, 0.5);
};

/** Milliseconds from close_stream to the result; the audio goes out at the pace of speech. */
const streamMs = async (client: Faircopy, model: ModelId, audio: Buffer, delayMs: number): Promise<number> => {
  await later(delayMs);
  const stream = client.stream({ model });
  await stream.opened;
  const start = performance.now();
  for (let at = 0; at < audio.length; at += FRAME_BYTES) {
    await later(Math.max(0, start + (at / BYTES_PER_SECOND) * 1000 - performance.now()));
    await stream.send(audio.subarray(at, at + FRAME_BYTES));
  }
  const closed = performance.now();
  await stream.finish();
  return performance.now() - closed;
};

/** The same speech from another moment on, so that streams at the same time do not do the same work. */
const rotated = (audio: Buffer, share: number): Buffer => {
  const at = Math.floor((share * audio.length) / 2) * 2;
  return Buffer.concat([audio.subarray(at), audio.subarray(0, at)]);
};

interface Course {
  readonly model: ModelId;
  readonly speech: Buffer;
  readonly silenceSeconds: number;
  readonly count: number;
  /** What file mode took for the same speech on the idle server. */
  readonly baseMs: number;
}

const measure = async (server: ServerChild, { model, speech, silenceSeconds, count, baseMs }: Course) => {
  const silence = Buffer.alloc(silenceSeconds * BYTES_PER_SECOND);
  const client = new Faircopy({ baseUrl: server.url, apiKey: server.key, retries: 0 });
  const before = await server.cost();
  const outcomes: PromiseSettledResult<number>[] = [];
  const rounds = count === 1 ? ROUNDS_ALONE : 1;
  for (let round = 0; round < rounds; round++) {
    const streams = Array.from({ length: count }, (_, nth) => {
      const share = nth / count + round / rounds;
      const delayMs = (nth / count) * SPREAD_MS;
      return streamMs(client, model, Buffer.concat([rotated(speech, share % 1), silence]), delayMs);
    });
    outcomes.push(...(await Promise.allSettled(streams)));
  }
  const after = await server.cost();
  const times = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const outcome of outcomes) if (outcome.status === 'rejected') console.error(String(outcome.reason));
  const audioSeconds = (outcomes.length * (speech.length + silence.length)) / BYTES_PER_SECOND;
  return {
    'close→result p50 ms': Math.round(percentile(times, 0.5)),
    'p95 ms': Math.round(percentile(times, 0.95)),
    'p50 ÷ file': (percentile(times, 0.5) / baseMs).toFixed(3),
    'CPU s per audio s': ((after.cpuSeconds - before.cpuSeconds) / audioSeconds).toFixed(3),
    'RSS MB': Math.round(after.rssBytes / 1024 / 1024),
    failed: outcomes.length - times.length,
  };
};

const speech = engine === 'real' ? await realSpeech(seconds) : toneSpeech(seconds);
if (speech === null) {
  console.error('skipped: there are no recordings beside the repository (../shared/eval)');
  process.exit(0);
}
const server = await startServer(engine, { FAIRCOPY_MODELS: tiers.join(','), FAIRCOPY_MAX_STREAMS: '1000' });
const rows: Record<string, string | number>[] = [];
try {
  const client = new Faircopy({ baseUrl: server.url, apiKey: server.key });
  for (const tier of tiers) {
    const baseMs = await fileMs(client, tier, speech);
    for (const count of counts) {
      for (const silenceSeconds of [0, SILENCE_SECONDS]) {
        const row = await measure(server, { model: tier, speech, silenceSeconds, count, baseMs });
        const closes = silenceSeconds === 0 ? 'speaking' : `${silenceSeconds} s silent`;
        rows.push({ tier, streams: count, closes, 'file ms': Math.round(baseMs), ...row });
        console.error(JSON.stringify(rows.at(-1)));
      }
    }
  }
} finally {
  await server.stop();
}
console.log(`${engine} engine, ${seconds} s of speech, frames of ${FRAME_MS} ms in real time\n`);
console.log(markdownTable(rows));
if (rows.some((row) => row.failed !== 0)) process.exitCode = 1;
