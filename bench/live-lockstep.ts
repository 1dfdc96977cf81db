// Live captions without a clock: audio goes on when every reading of it is done, and a reading takes the CPU time it cost.
// Shows on a busy machine, too, what `npm run bench:live` shows on an idle one. Not shown: queues, several streams.
// Run: npm run bench:live-lockstep [-- --tier svc-1.0-lite] [--seconds 60] [--folders en/ls_clean,en/ls_test_other]
import { parseArgs } from 'node:util';
import { modelId } from '@faircopy/contract';
import {
  createRefiner,
  InlineRefinementStage,
  LocalSpeechEngine,
  openCollected,
  openModelStore,
  parseConfig,
  type SpeechEngine,
  TranscriptionService,
} from '@faircopy/server/pipeline';
import { readSentences } from './clips.ts';
import { appearances, changes, type Shown, type ShownWord } from './live/shown-words.ts';
import { markdownTable } from './markdown-table.ts';
import { processCost } from './process-cost.ts';
import { percentile } from './statistics.ts';

const { values: asked } = parseArgs({
  options: {
    tier: { type: 'string', default: 'svc-1.0-lite' },
    seconds: { type: 'string', default: '60' },
    folders: { type: 'string', default: 'en/ls_clean,en/ls_test_other' },
    endpointing: { type: 'string', default: '600' },
  },
});
const model = modelId.parse(asked.tier);
const folders = asked.folders.split(',');
const PAUSE_SAMPLES = 14_400;
const CHUNK_SAMPLES = 1_600;

const config = { ...parseConfig(process.env), models: [model], recognisers: 1, recogniserThreads: 1 };
const real = new LocalSpeechEngine({ config, store: openModelStore(config) });
await real.ready();
const cpuSeconds = async (): Promise<number> => (await processCost(process.pid)).cpuSecondsOf.recognisers;

/** The engine, with a count of what runs and the cost of the last reading. */
let running = 0;
let readingMs = 0;
const counted = async <T>(work: Promise<T>): Promise<T> => {
  running += 1;
  try {
    return await work;
  } finally {
    running -= 1;
  }
};
const engine: SpeechEngine = {
  recogniser: {
    slots: 1,
    recognise: (window, signal) =>
      counted(
        (async () => {
          const before = await cpuSeconds();
          const recognition = await real.recogniser.recognise(window, signal);
          readingMs = 1000 * ((await cpuSeconds()) - before);
          return recognition;
        })(),
      ),
    close: async () => undefined,
  },
  openVoiceProbe: () => {
    const probe = real.openVoiceProbe();
    return {
      push: (samples) => counted(probe.push(samples)),
      flush: () => probe.flush(),
      close: () => probe.close(),
    };
  },
  ready: async () => undefined,
  close: async () => undefined,
};

/** Time is the end of the audio sent so far. */
let audioMs = 0;
const service = new TranscriptionService({
  engine,
  refinementStage: new InlineRefinementStage(createRefiner({})),
  recognitionTimeoutMs: 600_000,
  refinementTimeoutMs: 600_000,
  graceMs: 0,
  clock: { now: () => Date.now(), monotonicMs: () => audioMs },
});
const request = {
  requestId: 'bench',
  accountId: 'bench',
  model,
  languageHint: undefined,
  vocabulary: [],
  waitingSecondsMax: 1e6,
};

const sentences = await readSentences(folders, Number(asked.seconds) / folders.length);
const pieces = sentences.flatMap(({ samples }) => [samples, new Float32Array(PAUSE_SAMPLES)]);
const talk = new Float32Array(pieces.reduce((total, { length }) => total + length, 0));
pieces.reduce((at, piece) => {
  talk.set(piece, at);
  return at + piece.length;
}, 0);

const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 3 || running > 0; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
};

const play = async (session: { write(samples: Float32Array): Promise<void>; finish(): Promise<unknown> }) => {
  const before = await cpuSeconds();
  for (let at = 0; at < talk.length; at += CHUNK_SAMPLES) {
    audioMs = (at + CHUNK_SAMPLES) / 16;
    await session.write(talk.subarray(at, at + CHUNK_SAMPLES));
    await idle();
  }
  await session.finish();
  return ((await cpuSeconds()) - before) / (talk.length / 16_000);
};

const file = openCollected(service, { ...request, mode: 'file', wantWordTimes: true });
await file.write(talk);
const spoken = (await file.finish()).words;
const nativeCpu = await play(openCollected(service, { ...request, mode: 'stream', wantWordTimes: false }));
const rows = [];
for (const wantInterims of [false, true]) {
  const shown: Shown[] = [];
  let settled: readonly ShownWord[] = [];
  const finals = { kind: 'utterances', endpointingMs: Number(asked.endpointing), wantInterims } as const;
  const live = service.open({ ...request, mode: 'stream', wantWordTimes: true, finals }, (event) => {
    const atMs = audioMs + readingMs;
    if (event.type === 'interim') shown.push({ atMs, words: [...settled, ...event.interim.words] });
    if (event.type !== 'final') return;
    settled = [...settled, ...event.final.transcript.words];
    shown.push({ atMs, words: settled });
  });
  const cpu = await play(live);
  const times = appearances(spoken, shown);
  const { shown: shownWords, changed } = changes(shown);
  rows.push({
    tier: model,
    captions: wantInterims ? 'live, interims' : 'live, finals only',
    'words seen': `${Math.round((100 * times.length) / spoken.length)} %`,
    'appear p50 s': (percentile(times, 0.5) / 1000).toFixed(2),
    'p95 s': (percentile(times, 0.95) / 1000).toFixed(2),
    'changed after shown': `${((100 * changed) / shownWords).toFixed(1)} %`,
    'CPU s per audio s': cpu.toFixed(3),
    'CPU ÷ native': (cpu / nativeCpu).toFixed(2),
  });
}
console.log(`${(talk.length / 16_000).toFixed(0)} s of talk, audio and readings in lockstep\n`);
console.log(markdownTable(rows));
await real.close();
