// Benchmarks streams alone, optionally with the scripted engine, and with more streams than `npm run bench`.
// Run: npm run bench:stream [-- --smoke | --scripted] [--tiers svc-1.0-lite,…] [--streams 1,4,8,16] [--seconds 32]
import { parseArgs } from 'node:util';
import { MODEL_IDS, modelId } from '@faircopy/contract';
import { type Cell, markdownTable } from './markdown-table.ts';
import { realSpeech, toneSpeech } from './pcm-speech.ts';
import { startServer } from './server-process.ts';
import { FRAME_MS, measureStreams } from './stream-latency.ts';

const { values: asked } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    scripted: { type: 'boolean', default: false },
    tiers: { type: 'string' },
    streams: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const engine = asked.smoke || asked.scripted ? 'scripted' : 'real';
const seconds = Number(asked.seconds ?? (asked.smoke ? 3 : 32));
const tiers = (asked.tiers?.split(',') ?? (asked.smoke ? ['svc-1.0-lite'] : MODEL_IDS)).map((id) => modelId.parse(id));
const counts = (asked.streams ?? (asked.smoke ? '1,4' : '1,4,8,16')).split(',').map(Number);
const roundsAlone = asked.smoke ? 1 : 3;

const speech = engine === 'real' ? await realSpeech(seconds) : toneSpeech(seconds);
if (speech === null) {
  console.error('skipped: no recordings were found beside the repository (../shared/eval)');
  process.exit(0);
}
const server = await startServer(engine, { FAIRCOPY_MODELS: tiers.join(','), FAIRCOPY_MAX_STREAMS: '1000' });
const rows: Record<string, Cell>[] = [];
try {
  for (const model of tiers) {
    rows.push(...(await measureStreams(server, { model, speech, counts, roundsAlone }, console.error)));
  }
} finally {
  await server.stop();
}
console.log(`${engine} engine, ${seconds} s of speech, frames of ${FRAME_MS} ms in real time\n`);
console.log(markdownTable(rows));
if (rows.some((row) => row.failed !== 0)) process.exitCode = 1;
