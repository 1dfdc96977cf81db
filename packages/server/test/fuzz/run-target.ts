// Runs one fuzz target in a thread until its time is up; saves what it finds, and continues after an input that hangs.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FuzzMessage, FuzzTask } from './fuzz-worker.ts';
import { type GuidedReport, nameOf } from './guided.ts';

/** Generous, because a busy machine may pause a thread for seconds. */
const HANG_MS = 30_000;
const CURRENT_BYTES_MAX = 1 << 20;

/** Minimised inputs of past crashes. They are part of the repository, and every test run tries them again. */
const CRASH_FOLDER = fileURLToPath(new URL('../../../test/fuzz/corpus/crashes/', import.meta.url));

const folderName = (target: string): string => target.replace(/\W+/g, '-').toLowerCase();
export const filesIn = (folder: string): Uint8Array[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => new Uint8Array(readFileSync(join(folder, name)))) : [];
export const crashFolderOf = (target: string): string => join(CRASH_FOLDER, folderName(target));

export interface TargetRun {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly inputsMax?: number;
  /** The folder that keeps inputs with new coverage between runs. Absent: they are not kept. */
  readonly keepIn?: string | undefined;
}

export interface TargetReport extends GuidedReport {
  readonly faults: readonly string[];
}

const save = (folder: string, bytes: Uint8Array): string => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, nameOf(bytes));
  writeFileSync(path, bytes);
  return path;
};

export const runTarget = async (run: TargetRun): Promise<TargetReport> => {
  const untilMs = Date.now() + run.seconds * 1000;
  const keepIn = run.keepIn && join(run.keepIn, folderName(run.target));
  const totals = { inputs: 0, reached: 0, found: 0, slowestMs: 0, faults: [] as string[] };
  const fault = (what: string, bytes: Uint8Array): void => {
    totals.faults.push(`${run.target}: ${what}\n  input: ${save(crashFolderOf(run.target), bytes)}`);
  };
  for (let seed = run.seed; ; seed += 1) {
    const { inputs, reached, found, slowestMs } = await runThread(run, seed, untilMs, keepIn, fault);
    totals.inputs += inputs;
    totals.reached = Math.max(totals.reached, reached);
    totals.found += found;
    totals.slowestMs = Math.max(totals.slowestMs, slowestMs);
    // The thread finished, or no time is left for another one after a hang.
    if (Date.now() >= untilMs || totals.inputs >= (run.inputsMax ?? Number.POSITIVE_INFINITY)) return totals;
  }
};

const runThread = (
  run: TargetRun,
  seed: number,
  untilMs: number,
  keepIn: string | undefined,
  fault: (what: string, bytes: Uint8Array) => void,
): Promise<GuidedReport> =>
  new Promise((resolve, reject) => {
    const progress = new Int32Array(new SharedArrayBuffer(8));
    const current = new Uint8Array(new SharedArrayBuffer(CURRENT_BYTES_MAX));
    const workerData: FuzzTask = {
      target: run.target,
      seed,
      untilMs,
      inputsMax: run.inputsMax ?? Number.POSITIVE_INFINITY,
      earlier: [...filesIn(crashFolderOf(run.target)), ...(keepIn ? filesIn(keepIn) : [])],
      progress,
      current,
    };
    const worker = new Worker(new URL('./fuzz-worker.js', import.meta.url), { workerData });
    let seen = -1;
    const watch = setInterval(() => {
      const inputs = Atomics.load(progress, 0);
      if (inputs === seen && inputs > 0) {
        fault('hangs', new Uint8Array(current.slice(0, Atomics.load(progress, 1))));
        void worker.terminate();
        end({ inputs, reached: 0, found: 0, slowestMs: HANG_MS });
      }
      seen = inputs;
    }, HANG_MS);
    const end = (report: GuidedReport): void => {
      clearInterval(watch);
      resolve(report);
    };
    worker.on('message', (message: FuzzMessage) => {
      if (message.kind === 'crash') fault(message.what, message.bytes);
      else if (message.kind === 'done') end(message);
      else if (keepIn) save(keepIn, message.bytes);
    });
    worker.on('error', (cause) => {
      clearInterval(watch);
      reject(cause);
    });
  });
