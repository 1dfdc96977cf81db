// A supervised worker thread: it may crash, run out of memory or hang on a hostile file, and only its own jobs notice.
import { Worker } from 'node:worker_threads';
import { type FromThread, HEARTBEAT_COUNT, HEARTBEAT_JOB, type ThreadData, type ToThread } from './protocol.ts';

/** Why a job was lost with its thread: it was the one running, or merely shared the thread. */
export type Loss = 'culprit' | 'bystander';

export interface JobListener {
  onReport(report: FromThread): void;
  onLost(loss: Loss): void;
}

export interface ThreadOptions {
  readonly script: URL;
  /** How long a job may go on without any progress before the thread is killed. */
  readonly stallMs: number;
}

/** JavaScript memory of a thread; decoders' own memory is bounded by theirs. */
const HEAP_MB_MAX = 256;
/**
 * Decoded packets are short-lived and lie outside the heap: V8 frees them when it searches the young objects, and by
 * itself would let some 60 MB gather in each thread.
 */
const YOUNG_HEAP_MB_MAX = 2;
const CHECKS_PER_STALL = 4;

export class Thread {
  readonly #worker: Worker;
  readonly #heartbeat = new Int32Array(new SharedArrayBuffer(8));
  readonly #listeners = new Map<number, JobListener>();
  readonly #stallMs: number;
  #watch: NodeJS.Timeout | undefined;
  #state: 'alive' | 'gone' = 'alive';
  readonly #exited: Promise<void>;

  constructor({ script, stallMs }: ThreadOptions) {
    this.#stallMs = stallMs;
    this.#worker = new Worker(script, {
      workerData: { heartbeat: this.#heartbeat } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_HEAP_MB_MAX },
      // Libraries write to the console about bad packets; that is nobody's log.
      stdout: true,
      stderr: true,
    });
    this.#worker.unref();
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on('message', (report: FromThread) => this.#listeners.get(report.job)?.onReport(report));
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

  get jobCount(): number {
    return this.#listeners.size;
  }

  /** While a job is open the thread keeps the process alive and is watched. */
  attach(job: number, listener: JobListener): void {
    this.#listeners.set(job, listener);
    this.#worker.ref();
    this.#watch ??= this.#watchHeartbeat();
  }

  detach(job: number): void {
    this.#listeners.delete(job);
    if (this.#listeners.size > 0) return;
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
    let before = { job: 0, count: -1, checks: 0 };
    const timer = setInterval(() => {
      const job = Atomics.load(this.#heartbeat, HEARTBEAT_JOB);
      const count = Atomics.load(this.#heartbeat, HEARTBEAT_COUNT);
      const stuck = job !== 0 && job === before.job && count === before.count;
      before = { job, count, checks: stuck ? before.checks + 1 : 0 };
      if (before.checks >= CHECKS_PER_STALL) this.#lose();
    }, this.#stallMs / CHECKS_PER_STALL);
    timer.unref();
    return timer;
  }

  #lose(culprit = Atomics.load(this.#heartbeat, HEARTBEAT_JOB)): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    clearInterval(this.#watch);
    void this.#worker.terminate();
    const lost = [...this.#listeners];
    this.#listeners.clear();
    for (const [job, listener] of lost) listener.onLost(job === culprit ? 'culprit' : 'bystander');
  }
}
