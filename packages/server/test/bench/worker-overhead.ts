// Measures what a worker adds to a window: the same window is recognised here and at the worker.
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { MODEL_IDS } from '@faircopy/contract';
import { parseConfig } from '../../src/app/config.ts';
import { createUploadDecoding } from '../../src/audio/create-upload-decoding.ts';
import { sampleSpeech } from '../../src/cli/doctor/sample-speech.ts';
import { newId } from '../../src/cluster/messages.ts';
import { writeWindow } from '../../src/cluster/window-message.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { LocalSpeechEngine } from '../../src/speech/engine.ts';
import { RecogniserPool } from '../../src/speech/pool/pool.ts';
import type { Recogniser, SpeechWindow } from '../../src/speech/recogniser.ts';
import { openModelStore } from '../../src/speech/store/open.ts';
import { windowOf } from '../../src/speech/testing/recogniser-fixtures.ts';
import { percentile } from '../overload/figures.ts';
import {
  endChild,
  fileBeside,
  openGateway,
  samplesOf,
  shown,
  startChild,
  startProcess,
  TIER,
  table,
} from './worker-parts.ts';

/** Measures the same window here and at the only worker, in turns. */
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

export const overhead = async (url: string, windows: number): Promise<void> => {
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

/** Like `overhead`, with the real models, and with the worker command. */
export const overheadOfModels = async (url: string, windows: number): Promise<void> => {
  const env = { FAIRCOPY_MODELS: TIER, FAIRCOPY_RECOGNISERS: '1', FAIRCOPY_RECOGNISER_THREADS: '1' };
  const config = parseConfig({ ...process.env, ...env });
  const engine = new LocalSpeechEngine({ config, store: openModelStore(config) });
  await engine.ready();
  const program = fileBeside('../../../bin/faircopy.js');
  const worker = startProcess([program, 'worker'], 'ignore', { ...env, NATS_URL: url, PORT: '0' });
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
