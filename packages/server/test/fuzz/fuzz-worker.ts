// Runs fuzz inputs in a thread of its own, so that one that hangs can be told from outside and ended.
import { parentPort, workerData } from 'node:worker_threads';
import { trial } from './trial.ts';

export interface FuzzTask {
  readonly firstSeed: number;
  readonly untilMs: number;
  readonly inputsMax: number;
  readonly containers: readonly string[] | undefined;
  /** The seed that runs now. */
  readonly current: Int32Array;
}
export type FuzzReport =
  | { readonly kind: 'fault'; readonly seed: number; readonly what: string }
  | { readonly kind: 'done'; readonly inputs: number; readonly ended: number; readonly slowestMs: number };

const { firstSeed, untilMs, inputsMax, containers, current } = workerData as FuzzTask;
const port = parentPort!;
// The Opus library tells the console about every bad packet.
console.error = () => undefined;

let inputs = 0;
let ended = 0;
let slowestMs = 0;
for (; inputs < inputsMax && Date.now() < untilMs; inputs++) {
  const seed = firstSeed + inputs;
  Atomics.store(current, 0, seed);
  const startMs = performance.now();
  try {
    if ((await trial(seed, containers)) === 'ended') ended++;
  } catch (thrown) {
    port.postMessage({
      kind: 'fault',
      seed,
      what: thrown instanceof Error ? thrown.stack : String(thrown),
    } as FuzzReport);
  }
  slowestMs = Math.max(slowestMs, performance.now() - startMs);
}
port.postMessage({ kind: 'done', inputs, ended, slowestMs } as FuzzReport);
