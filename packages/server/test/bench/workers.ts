// Workers over NATS, measured: `npm run bench:workers -- [section …] [--short]`. What a remote window costs, how workers add up, who waits how long.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MODEL_IDS } from '@faircopy/contract';
import { parseConfig } from '../../src/app/config.ts';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import { sampleSpeech } from '../../src/cli/doctor/sample-speech.ts';
import { RemotePool } from '../../src/cluster/gateway/remote-pool.ts';
import { newId } from '../../src/cluster/messages.ts';
import { NatsBus } from '../../src/cluster/nats-bus.ts';
import { Refusals } from '../../src/cluster/refusals.ts';
import { startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import { natsConfig } from '../../src/cluster/testing/parties.ts';
import { writeWindow } from '../../src/cluster/window-message.ts';
import { freePort } from '../../src/lib/net/testing/free-port.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { LocalSpeechEngine } from '../../src/speech/engine.ts';
import { RecogniserPool } from '../../src/speech/pool/pool.ts';
import type { Recogniser, SpeechWindow } from '../../src/speech/recogniser.ts';
import { openModelStore } from '../../src/speech/store/open.ts';
import { windowOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { silentObserver } from '../../src/transcription/observer.ts';
import { Scheduler } from '../../src/transcription/scheduling/scheduler.ts';
import { measureStreams } from './gateway-streams.ts';

const TIER = 'svc-1.0-lite' as const;
const fileBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const children: ChildProcess[] = [];
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.max(0, Math.ceil(share * values.length) - 1)]!;
const shown = (value: number, digits = 1): string => value.toFixed(digits);
const table = (head: string, rows: readonly (readonly (string | number)[])[]): void => {
  console.log(`\n| ${head} |\n|${head.replace(/[^|]+/g, '---')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
};

const startChild = async (file: string, plan: object, env: Record<string, string> = {}): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [fileBeside(file), JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'error', ...env },
  });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
};
const endChild = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.stdin!.end();
  await exited;
};

const openGateway = async (url: string, name: string) => {
  const bus = new NatsBus(natsConfig(url), name, { warn: () => {}, info: () => {} });
  const refusals = new Refusals({ count: () => {}, log: (_facts, line) => console.error(line) });
  const observer = {
    windowDone: () => {},
    windowLost: (reason: string) => console.error(`lost: ${reason}`),
    workerChanged: () => {},
  };
  const pool = new RemotePool({ bus, name, version: VERSION, clock: systemClock, refusals, observer });
  pool.start();
  await bus.start();
  const scheduler = new Scheduler({
    recogniser: pool,
    clock: systemClock,
    observer: silentObserver,
    queuedAudioSecondsMax: 1e9,
    waitSecondsMax: 1e9,
    crowdedWaitSecondsMax: 1e9,
  });
  const untilWorkers = async (workers: number): Promise<void> => {
    while (pool.workers.length !== workers) await wait(20);
  };
  return { pool, scheduler, untilWorkers, close: () => pool.close().then(() => bus.close()) };
};
type Gateway = Awaited<ReturnType<typeof openGateway>>;

const made = new Map<number, Float32Array>();
/** Made once: making them takes the event loop longer than the windows do. */
const samplesOf = (seconds: number): Float32Array => {
  const known = made.get(seconds);
  if (known) return known;
  const samples = new Float32Array(seconds * 16_000);
  samples.set(spoken(story(Math.floor(seconds / 0.36))).subarray(0, samples.length));
  made.set(seconds, samples);
  return samples;
};

/** The same window here and at the one worker there is, in turns. */
const compare = async (
  title: string,
  local: Recogniser,
  url: string,
  job: SpeechWindow,
  windows: number,
): Promise<void> => {
  const gateway = await openGateway(url, 'overhead');
  const time = async (recogniser: Recogniser): Promise<number> => {
    while (recogniser.capacity && recogniser.capacity.freeSlots(TIER) === 0) await wait(1);
    const startedMs = performance.now();
    await recogniser.recognise(job, new AbortController().signal);
    return performance.now() - startedMs;
  };
  const times: { local: number[]; remote: number[] } = { local: [], remote: [] };
  const cpuMs = { local: 0, remote: 0 };
  const warming = Math.ceil(windows / 20);
  for (let nth = 0; nth < windows + warming; nth++)
    for (const where of ['local', 'remote'] as const) {
      const before = process.cpuUsage();
      const tookMs = await time(where === 'local' ? local : gateway.pool);
      const { user, system } = process.cpuUsage(before);
      if (nth < warming) continue;
      times[where].push(tookMs);
      cpuMs[where] += (user + system) / 1000;
    }
  const extra = times.remote.map((ms, nth) => ms - times.local[nth]!);
  console.log(`\n## A window of 20 s, here and at a worker, ${title} (${windows} of each, in turns)`);
  const row = (name: string, values: readonly number[], cpu: string) => [
    ...[name, shown(percentile(values, 0.5)), shown(percentile(values, 0.95)), cpu],
  ];
  table('window | p50 ms | p95 ms | CPU ms of the server per window', [
    row('recogniser process here', times.local, shown(cpuMs.local / windows, 2)),
    row('the same at a worker, over NATS', times.remote, shown(cpuMs.remote / windows, 2)),
    row('more, pair by pair', extra, shown((cpuMs.remote - cpuMs.local) / windows, 2)),
  ]);
  const head = { version: VERSION, gateway: newId(), credit: newId(), id: newId(), want: {} };
  console.log(`\nBytes of such a window on NATS: ${writeWindow(head, job).length}.`);
  await gateway.close();
};

const overhead = async (url: string, windows: number): Promise<void> => {
  const init = { folders: {}, tiers: MODEL_IDS, threads: 1 };
  const local = new RecogniserPool({
    entry: fileBeside('../kills/recogniser-process.js'),
    processes: [init],
    rssBytesMax: 1e12,
  });
  local.start();
  await local.ready();
  const plan = { kind: 'processes', slots: 1, windowMs: 0 };
  const worker = await startChild('../cluster/worker-process.js', plan, { NATS_URL: url, PORT: '0' });
  await compare('recognisers of tones', local, url, windowOf({ tier: TIER, samples: samplesOf(20) }), windows);
  await local.close();
  await endChild(worker);
};

/** The same with the models themselves, and the worker as its command starts it. */
const overheadOfModels = async (url: string, windows: number): Promise<void> => {
  const env = { FAIRCOPY_MODELS: TIER, FAIRCOPY_RECOGNISERS: '1', FAIRCOPY_RECOGNISER_THREADS: '1' };
  const config = parseConfig({ ...process.env, ...env });
  const engine = new LocalSpeechEngine({ config, store: openModelStore(config) });
  await engine.ready();
  const worker = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../bin/faircopy.js', import.meta.url)), 'worker'],
    {
      stdio: 'ignore',
      env: { ...process.env, ...env, NATS_URL: url, PORT: '0' },
    },
  );
  children.push(worker);
  const decoding = createUploadDecoding({ threads: 1 });
  const [speech] = await sampleSpeech(decoding);
  await decoding.close();
  await compare(
    TIER,
    engine.recogniser,
    url,
    windowOf({ tier: TIER, samples: speech!.slice(0, 20 * 16_000), language: 'en' }),
    windows,
  );
  await engine.close();
  const exited = once(worker, 'exit');
  worker.kill('SIGTERM');
  await exited;
};

/** Keeps this many windows waiting, and counts those answered within the time. */
const throughput = async ({ scheduler }: Gateway, waiting: number, seconds: number, audioSeconds: number) => {
  const samples = samplesOf(audioSeconds);
  let isOver = false;
  let done = 0;
  const feed = async (nth: number): Promise<void> => {
    while (!isOver) {
      const requestId = `r${nth}`;
      const { result } = scheduler.submit({
        accountId: `a${nth % 7}`,
        requestId,
        urgency: 'steady',
        tier: TIER,
        audioSamples: samples.length,
        window: () => windowOf({ requestId, tier: TIER, samples }),
      });
      await result;
      if (!isOver) done += 1;
    }
  };
  const feeds = Array.from({ length: waiting }, (_, nth) => feed(nth));
  await wait(1_000);
  done = 0;
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await wait(1000 * seconds);
  const perSecond = done / ((performance.now() - startedMs) / 1000);
  const { user, system } = process.cpuUsage(before);
  isOver = true;
  const cpuMs = (user + system) / 1000 / Math.max(1, done);
  await Promise.all(feeds);
  return { perSecond, cpuMs };
};

const scaling = async (url: string, seconds: number): Promise<void> => {
  const windowMs = 1_000;
  const rows: (string | number)[][] = [];
  let single = 0;
  for (const workers of [1, 2, 4, 8, 16, 32]) {
    const hosts = await Promise.all(
      Array.from({ length: Math.min(2, workers) }, (_, nth) =>
        startChild('./worker-host.js', { url, windowMs, workers: workers > 1 ? workers / 2 : 1, nth }),
      ),
    );
    const gateway = await openGateway(url, 'scaling');
    await gateway.untilWorkers(workers);
    const { perSecond, cpuMs } = await throughput(gateway, 2 * workers + 2, seconds, 10);
    if (workers === 1) single = perSecond;
    rows.push([workers, shown(perSecond, 2), shown(perSecond / (single * workers), 3), shown(cpuMs, 2)]);
    await gateway.close();
    await Promise.all(hosts.map(endChild));
  }
  console.log(`\n## Throughput by workers (1 slot each, ${windowMs} ms a window of 10 s, ${seconds} s each)`);
  table('workers | windows/s | share of linear | CPU ms of the gateway per window', rows);
};

const clipBesideFile = async (url: string, clips: number): Promise<void> => {
  const windowMs = 500;
  const host = await startChild('./worker-host.js', { url, windowMs, workers: 2 });
  const gateway = await openGateway(url, 'clips');
  await gateway.untilWorkers(2);
  const submit = (accountId: string, seconds: number, urgency: 'steady' | 'final') => {
    const samples = samplesOf(seconds);
    const requestId = `${accountId}-${newId()}`;
    const window = () => windowOf({ requestId, tier: TIER, samples });
    const audioSamples = samples.length;
    return gateway.scheduler.submit({ accountId, requestId, urgency, tier: TIER, audioSamples, window }).result;
  };
  const waits: number[] = [];
  for (let nth = 0; nth < clips; nth++) {
    // 300 s are 15 windows of 20 s.
    const file = Array.from({ length: 15 }, () => submit('file', 20, 'steady'));
    await wait(200 + 137 * (nth % 10));
    const startedMs = performance.now();
    await submit('clip', 3, 'final');
    waits.push(performance.now() - startedMs - windowMs);
    await Promise.all(file);
  }
  console.log(`\n## A clip of 3 s while a file of 300 s runs (2 workers, ${windowMs} ms a window, ${clips} clips)`);
  table('wait | ms', [
    ['p50', shown(percentile(waits, 0.5))],
    ['longest', shown(Math.max(...waits))],
    ['one window', windowMs],
  ]);
  await gateway.close();
  await endChild(host);
};

const fairness = async (url: string, seconds: number): Promise<void> => {
  const host = await startChild('./worker-host.js', { url, windowMs: 200, workers: 5 });
  const gateways = [await openGateway(url, 'calm'), await openGateway(url, 'busy')];
  for (const gateway of gateways) await gateway.untilWorkers(5);
  // The busy one has ten times as much waiting.
  const [calm, busy] = await Promise.all([
    throughput(gateways[0]!, 10, seconds, 5),
    throughput(gateways[1]!, 100, seconds, 5),
  ]);
  console.log(`\n## Two gateways, one with ten times as much waiting (5 workers, ${seconds} s)`);
  table('gateway | windows/s', [
    ['10 windows waiting', shown(calm.perSecond, 2)],
    ['100 windows waiting', shown(busy.perSecond, 2)],
    ['ratio', shown(calm.perSecond / busy.perSecond, 3)],
  ]);
  for (const gateway of gateways) await gateway.close();
  await endChild(host);
};

const streamCosts = async (url: string, natsBytes: () => Promise<number>, streams: number): Promise<void> => {
  const host = await startChild('./worker-host.js', { url, windowMs: 300, workers: 16 });
  const costs = await measureStreams(url, natsBytes, { streams, seconds: 20 });
  console.log(`\n## ${streams} live streams on a gateway (20 s of speech each, 16 workers of 300 ms a window)`);
  table('of each stream | per second', [
    ['CPU of the gateway, without the voice model', `${shown(costs.cpuMs, 2)} ms`],
    ['windows', shown(costs.windowsPerSecond / streams, 3)],
    ['bytes into NATS', `${shown(costs.natsKilobytesPerSecond / streams, 1)} kB`],
  ]);
  console.log(`\nStreams with a result: ${costs.results} of ${streams}.`);
  await endChild(host);
};

const monitorPort = await freePort();
const nats = await startOwnNats({ settings: `http: "127.0.0.1:${monitorPort}"` });
const natsBytes = async (): Promise<number> => {
  const figures = await (await fetch(`http://127.0.0.1:${monitorPort}/varz`)).json();
  return (figures as { in_bytes: number }).in_bytes;
};
const isShort = process.argv.includes('--short');
const sections: Record<string, () => Promise<void>> = {
  overhead: () => overhead(nats.url, isShort ? 20 : 200),
  models: () => overheadOfModels(nats.url, isShort ? 2 : 20),
  scaling: () => scaling(nats.url, isShort ? 3 : 10),
  clips: () => clipBesideFile(nats.url, isShort ? 3 : 12),
  fairness: () => fairness(nats.url, isShort ? 4 : 15),
  streams: () => streamCosts(nats.url, natsBytes, isShort ? 10 : 40),
};
const wanted = process.argv.slice(2).filter((word) => word in sections);
try {
  for (const [name, section] of Object.entries(sections))
    if (wanted.length === 0 || wanted.includes(name)) await section();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await nats.close();
}
process.exit(0);
