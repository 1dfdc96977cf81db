// Runs the service in a separate process, so that its cost is separate from that of the benchmark.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killOnExit } from './child-cleanup.ts';
import { countingEnv, type ModelBaseline, readModelBaseline } from './model-baseline.ts';
import { type ProcessCost, processCost } from './process-cost.ts';

const FAIRCOPY = fileURLToPath(new URL('../../packages/server/bin/faircopy.js', import.meta.url));
const SCRIPTED = fileURLToPath(new URL('./scripted-server.js', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly key: string;
  /** Time from the start of the process until it is ready. */
  readonly readyMs: number;
  /** Of the process and all its children, recognisers included. */
  cost(): Promise<ProcessCost>;
  /** Null unless the model calls are counted. */
  modelBaseline(): Promise<ModelBaseline | null>;
  /** A value from `/metrics`; NaN if it is missing. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** The only core that it and its children may use. */
  readonly onlyCore?: number;
  /** Counts the model calls inside the recognisers. Costs two clock readings per call. */
  readonly countModelCalls?: boolean;
}

/** Starts `faircopy serve`, or the same service with a scripted engine; resolves when it is ready. */
export const startServer = async (
  engine: 'real' | 'scripted',
  env: Record<string, string>,
  { onlyCore, countModelCalls = false }: ServerOptions = {},
): Promise<ServerProcess> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'faircopy-bench-'));
  const serve = [process.execPath, ...(engine === 'real' ? [FAIRCOPY, 'serve'] : [SCRIPTED])];
  const [command, ...args] = onlyCore === undefined ? serve : ['taskset', '--cpu-list', String(onlyCore), ...serve];
  const startMs = performance.now();
  const child = spawn(command!, args, {
    env: {
      LOG_LEVEL: 'error',
      ...process.env,
      PORT: '0',
      FAIRCOPY_DATA_DIR: dataDir,
      ...env,
      ...(countModelCalls && countingEnv(dataDir)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const releaseCleanup = killOnExit(child);
  const stop = async (): Promise<void> => {
    releaseCleanup();
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const { url, key } = await readAddressAndKey(child);
    return {
      url,
      key,
      readyMs: performance.now() - startMs,
      cost: () => processCost(child.pid ?? 0),
      modelBaseline: async () => (countModelCalls ? readModelBaseline(dataDir) : null),
      metric: async (name) => {
        const page = await (await fetch(`${url}/metrics`)).text();
        return Number(new RegExp(`^${name} (.+)$`, 'm').exec(page)?.[1] ?? Number.NaN);
      },
      stop,
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
};

/** On its first start, the service prints its address and the first key. */
const readAddressAndKey = async (child: ChildProcess): Promise<{ readonly url: string; readonly key: string }> => {
  child.on('error', () => child.stdout?.destroy());
  let url = '';
  for await (const line of createInterface({ input: child.stdout! })) {
    url = /http:\/\/[\w.:[\]-]+/.exec(line)?.[0] ?? url;
    const key = /\bfc_\w+/.exec(line)?.[0];
    if (key === undefined) continue;
    child.stdout?.resume();
    return { url: new URL(url).origin, key };
  }
  throw new Error('the server ended before it was ready');
};
