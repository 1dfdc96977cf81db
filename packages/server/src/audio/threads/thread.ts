// A supervised worker thread: it may crash, run out of memory or hang on a hostile file; only its own tasks are
// affected.
import { Worker } from 'node:worker_threads';
import { type FromThread, HEARTBEAT_COUNT, HEARTBEAT_TASK, type ThreadData, type ToThread } from './protocol.ts';

/** Why a task was lost with its thread: it was running, or it only shared the thread. */
export type Loss = 'culprit' | 'bystander';

export interface TaskListener {
  onReport(report: FromThread): void;
  onLost(loss: Loss): void;
}

/** Rough cost of a task, used to compare the load of threads. */
export const TASK_COST = { decoding: 10, measuring: 1 } as const;

export interface ThreadOptions {
  readonly script: URL;
  /** Kill the thread when a task makes no progress for this long. */
  readonly stallMs: number;
}

/** JavaScript heap of a thread; decoders limit their own WebAssembly memory. */
const HEAP_MB_MAX = 256;
/**
 * Decoded packets are short-lived and live outside the heap. V8 frees them when it collects the young generation, and
 * with the default size it would let about 60 MB accumulate per thread.
 */
const YOUNG_HEAP_MB_MAX = 2;
const CHECKS_PER_STALL = 4;

export class Thread {
  readonly #worker: Worker;
  readonly #heartbeat = new Int32Array(new SharedArrayBuffer(8));
  readonly #tasks = new Map<number, { readonly listener: TaskListener; readonly cost: number }>();
  readonly #stallMs: number;
  #watch: NodeJS.Timeout | undefined;
  #state: 'alive' | 'gone' = 'alive';
  readonly #exited: Promise<void>;

  constructor({ script, stallMs }: ThreadOptions) {
    this.#stallMs = stallMs;
    this.#worker = new Worker(script, {
      workerData: { heartbeat: this.#heartbeat } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_HEAP_MB_MAX },
      // Libraries report bad packets on the console; discard that output.
      stdout: true,
      stderr: true,
    });
    this.#worker.unref();
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on('message', (report: FromThread) => this.#tasks.get(report.task)?.listener.onReport(report));
    this.#worker.on('error', () => this.#lose());
    this.#worker.on('messageerror', () => this.#lose());
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#lose();
        resolve();
      });
    });
  }

  get isAlive(): boolean {
    return this.#state === 'alive';
  }

  /** The cost of its open tasks. */
  get load(): number {
    let load = 0;
    for (const { cost } of this.#tasks.values()) load += cost;
    return load;
  }

  /** While a task is open, the thread keeps the process alive and is watched. */
  attach(task: number, listener: TaskListener, cost: number): void {
    this.#tasks.set(task, { listener, cost });
    this.#worker.ref();
    this.#watch ??= this.#watchHeartbeat();
  }

  detach(task: number): void {
    this.#tasks.delete(task);
    if (this.#tasks.size > 0) return;
    this.#worker.unref();
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  post(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    if (this.isAlive) this.#worker.postMessage(message, [...transfer]);
  }

  async close(): Promise<void> {
    this.#lose(0);
    await this.#exited;
  }

  #watchHeartbeat(): NodeJS.Timeout {
    let before = { task: 0, count: -1, checks: 0 };
    const timer = setInterval(() => {
      const task = Atomics.load(this.#heartbeat, HEARTBEAT_TASK);
      const count = Atomics.load(this.#heartbeat, HEARTBEAT_COUNT);
      const stuck = task !== 0 && task === before.task && count === before.count;
      before = { task, count, checks: stuck ? before.checks + 1 : 0 };
      if (before.checks >= CHECKS_PER_STALL) this.#lose();
    }, this.#stallMs / CHECKS_PER_STALL);
    timer.unref();
    return timer;
  }

  #lose(culprit = Atomics.load(this.#heartbeat, HEARTBEAT_TASK)): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    clearInterval(this.#watch);
    void this.#worker.terminate();
    const lost = [...this.#tasks];
    this.#tasks.clear();
    for (const [task, { listener }] of lost) listener.onLost(task === culprit ? 'culprit' : 'bystander');
  }
}
