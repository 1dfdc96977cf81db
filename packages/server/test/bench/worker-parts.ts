// Parts of the benchmark of workers: child processes, gateways, windows and tables.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RemotePool } from '../../src/cluster/gateway/remote-pool.ts';
import { NatsBus } from '../../src/cluster/nats-bus.ts';
import { Refusals } from '../../src/cluster/refusals.ts';
import { natsConfig } from '../../src/cluster/testing/parties.ts';
import { VERSION } from '../../src/lib/process/version.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { silentObserver } from '../../src/transcription/observer.ts';
import { Scheduler } from '../../src/transcription/scheduling/scheduler.ts';

export const TIER = 'svc-1.0-lite' as const;
export const fileBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const children: ChildProcess[] = [];
export const shown = (value: number, digits = 1): string => value.toFixed(digits);
export const table = (head: string, rows: readonly (readonly (string | number)[])[]): void => {
  console.log(`\n| ${head} |\n|${head.replace(/[^|]+/g, '---')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
};

export const startProcess = (
  words: readonly string[],
  stdio: StdioOptions,
  env: Readonly<Record<string, string>>,
): ChildProcess => {
  const child = spawn(process.execPath, words, { stdio, env: { ...process.env, ...env } });
  children.push(child);
  return child;
};
export const killChildren = (): void => {
  for (const child of children) child.kill('SIGKILL');
};

/** Resolves when the child is ready. It ends when its input does. */
export const startChild = async (
  file: string,
  plan: object,
  env: Record<string, string> = {},
): Promise<ChildProcess> => {
  const child = startProcess([fileBeside(file), JSON.stringify(plan)], ['pipe', 'pipe', 'inherit'], {
    LOG_LEVEL: 'error',
    ...env,
  });
  await once(child.stdout!, 'data');
  return child;
};
export const endChild = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.stdin!.end();
  await exited;
};

export const openGateway = async (url: string, name: string) => {
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
export type Gateway = Awaited<ReturnType<typeof openGateway>>;

const made = new Map<number, Float32Array>();
/** Made once, because making them blocks the event loop longer than the windows do. */
export const samplesOf = (seconds: number): Float32Array => {
  const known = made.get(seconds);
  if (known) return known;
  const samples = new Float32Array(seconds * 16_000);
  samples.set(spoken(story(Math.floor(seconds / 0.36))).subarray(0, samples.length));
  made.set(seconds, samples);
  return samples;
};
