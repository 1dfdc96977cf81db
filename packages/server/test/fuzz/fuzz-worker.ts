// Fuzzes one target in a thread of its own, so that a hanging input can be detected from outside and the thread ended.
import { parentPort, workerData } from 'node:worker_threads';
import { type Crash, fuzzGuided, type GuidedReport } from './guided.ts';
import { FUZZ_TARGETS } from './targets/all.ts';

export interface FuzzTask {
  readonly target: string;
  readonly seed: number;
  readonly untilMs: number;
  readonly inputsMax: number;
  /** Inputs that earlier runs found. */
  readonly earlier: readonly Uint8Array[];
  /** How many inputs have begun, how long the present one is, and its bytes. */
  readonly progress: Int32Array;
  readonly current: Uint8Array;
}
export type FuzzMessage =
  | ({ readonly kind: 'crash' } & Crash)
  | { readonly kind: 'found'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'done' } & GuidedReport);

const task = workerData as FuzzTask;
const port = parentPort!;
// The Opus library prints every bad packet to the console.
console.error = () => undefined;

const send = (message: FuzzMessage) => port.postMessage(message);
const target = await FUZZ_TARGETS.get(task.target)!();
const report = await fuzzGuided({
  ...task,
  target: { ...target, seeds: [...target.seeds, ...task.earlier] },
  onInput: (bytes) => {
    task.current.set(bytes.subarray(0, task.current.length));
    Atomics.store(task.progress, 1, bytes.length);
    Atomics.add(task.progress, 0, 1);
  },
  onFound: (bytes) => send({ kind: 'found', bytes }),
  onCrash: (crash) => send({ kind: 'crash', ...crash }),
});
await target.close?.();
send({ kind: 'done', ...report });
