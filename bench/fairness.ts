// Fairness: how long a 3 s clip takes while a 300 s file is in progress, from another account and from the same one.
// Run: npm run bench:fairness [-- svc-1.0-pro] [--smoke].
// Uses the real engine if its models are in the store, otherwise a scripted one.
import { parseArgs } from 'node:util';
import { LIMITS, type ModelId, modelId } from '@faircopy/contract';
import {
  InlineRefinementStage,
  LocalSpeechEngine,
  neededModels,
  parseConfig,
  type SpeechEngine,
  silentObserver,
  TranscriptionService,
} from '@faircopy/server/pipeline';
import { passthroughRefiner, ScriptedEngine, spoken, storedModels, story } from '#testing';
import { clipsOfLength, hasRecordings, RATE_HZ, readSentences } from './clips.ts';
import { markdownTable } from './markdown-table.ts';
import { percentile } from './statistics.ts';

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false } },
});
const ROUNDS = asked.smoke ? 1 : 5;

const openEngine = async (tier: ModelId): Promise<{ engine: SpeechEngine; name: string }> => {
  const stored = await storedModels(neededModels([tier]));
  if ('store' in stored) {
    const config = parseConfig({ ...process.env, FAIRCOPY_MODELS: tier });
    return { engine: new LocalSpeechEngine({ config, store: stored.store }), name: 'real' };
  }
  console.log(`scripted engine: ${stored.skip}`);
  const work = (samples: number) => new Promise<void>((resolve) => setTimeout(resolve, 50 + samples / 160));
  return { engine: new ScriptedEngine({ before: ({ samples }) => work(samples.length) }), name: 'scripted' };
};

const tier = modelId.parse(positionals[0] ?? 'svc-1.0-pro');
const { engine, name } = await openEngine(tier);
await engine.ready();
const longSeconds = asked.smoke ? 30 : 300;
const long =
  name === 'real' && hasRecordings
    ? clipsOfLength(await readSentences(['en/ls_test_other', 'en/ls_clean'], longSeconds), longSeconds, 1)[0]!.samples
    : spoken(story(Math.ceil(longSeconds / 0.36)));
const clip = long.slice(0, 3 * RATE_HZ);

let busySlots = 0;
let longestWindowMs = 0;
const service = new TranscriptionService({
  engine,
  refinementStage: new InlineRefinementStage(passthroughRefiner),
  recognitionTimeoutMs: 600_000,
  refinementTimeoutMs: 60_000,
  graceMs: 0,
  observer: {
    ...silentObserver,
    queueChanged: ({ busySlots: busy }) => {
      busySlots = busy;
    },
    windowEnded: ({ runMs, outcome }) => {
      if (outcome === 'done') longestWindowMs = Math.max(longestWindowMs, runMs);
    },
  },
});

let requests = 0;
const open = (accountId: string) =>
  service.open(
    {
      requestId: `request-${requests++}`,
      accountId,
      mode: 'file',
      model: tier,
      languageHint: undefined,
      waitingSecondsMax: LIMITS.waitingSecondsPerAccountMax,
      vocabulary: [],
      wantWordTimes: false,
    },
    () => undefined,
  );
const writeAll = async (session: ReturnType<typeof open>, samples: Float32Array): Promise<void> => {
  for (let at = 0; at < samples.length; at += RATE_HZ) await session.write(samples.slice(at, at + RATE_HZ));
};
const clipMs = async (accountId: string): Promise<number> => {
  const startedMs = performance.now();
  const session = open(accountId);
  await writeAll(session, clip);
  await session.finish();
  return performance.now() - startedMs;
};

await clipMs('warm-up');
const idle: number[] = [];
for (let round = 0; round < ROUNDS; round++) idle.push(await clipMs('idle'));

const rows = [];
for (const [who, accountId] of [
  ['another account', 'other'],
  ['the same account', 'busy'],
] as const) {
  longestWindowMs = 0;
  const file = open('busy');
  const whole = writeAll(file, long).then(() => file.finish());
  const startedMs = performance.now();
  const took: number[] = [];
  while (busySlots === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let round = 0; round < ROUNDS; round++) took.push(await clipMs(accountId));
  await whole;
  const boundMs = 2 * percentile(idle, 0.5) + longestWindowMs;
  rows.push({
    engine: name,
    model: tier,
    'clip from': who,
    'idle ms': Math.round(percentile(idle, 0.5)),
    'with the file ms (median)': Math.round(percentile(took, 0.5)),
    'with the file ms (worst)': Math.round(Math.max(...took)),
    'longest window ms': Math.round(longestWindowMs),
    '2 × idle + window': Math.round(boundMs),
    kept: Math.max(...took) <= boundMs ? 'yes' : 'NO',
    'file ms': Math.round(performance.now() - startedMs),
  });
}
console.log(markdownTable(rows));
await service.close();
await engine.close();
