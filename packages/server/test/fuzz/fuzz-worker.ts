// Fuzzes one target in its own thread, so that a hang can be detected from outside and the thread terminated.
import { parentPort, workerData } from 'node:worker_threads';
import { type Crash, fuzzGuided, type GuidedReport } from './guided.ts';
import { FUZZ_TARGETS } from './targets/all.ts';

export interface FuzzTask {
  readonly target: string;
  readonly seed: number;
  readonly untilMs: number;
  readonly inputsMax: number;
  /** Inputs that earlier runs found, used as seeds. */
  readonly earlier: readonly Uint8Array[];
  /** Shared memory: the number of inputs started, and the length of the current one. */
  readonly progress: Int32Array;
  /** Shared memory: the bytes of the current input. */
  readonly current: Uint8Array;
}
export type FuzzMessage =
  | ({ readonly kind: 'crash' } & Crash)
  | { readonly kind: 'found'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'done' } & GuidedReport);

const task = workerData as FuzzTask;
const port = parentPort!;
// The Opus library reports every bad packet on the console.
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
