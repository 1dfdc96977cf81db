// Runs refinement on two worker threads: one for usual texts, one for very long ones. Replaces a hung thread.
import '../../lib/process/no-telemetry.ts';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../lib/fault.ts';
import { programUrl } from '../../lib/process/programs.ts';
import { type Deferred, deferred } from '../../lib/time/deferred.ts';
import type { RefinerOptions } from '../../refine/create-refiner.ts';
import type { RefineInput, Refiner } from '../../refine/refiner.ts';
import { RunGate } from '../../refine/tagger/run-gate.ts';
import type { RefinementResult, RefinementStage } from './refinement-stage.ts';

/** What the module named by `moduleUrl` exports. */
export interface RefinerModule {
  /** `gateMemory` is shared with the code that may end the thread, see refine/tagger/run-gate.ts. */
  createRefiner(settings: unknown, gateMemory: SharedArrayBuffer): Refiner;
}

/** Where a thread finds its refiner: threads share no objects, so each makes its own. */
export interface RefinerSource {
  readonly moduleUrl: string;
  /** Options for `createRefiner`, copied to the thread. */
  readonly settings: unknown;
}

/** The refiner of the service, for the threads. */
export const serviceRefiner = (options: RefinerOptions): RefinerSource => ({
  moduleUrl: programUrl('refine/create-refiner').href,
  settings: options,
});

export type ToRefinementThread =
  | { readonly kind: 'run'; readonly id: number; readonly input: RefineInput }
  | { readonly kind: 'abort'; readonly id: number };
export type FromRefinementThread =
  | { readonly kind: 'done'; readonly id: number; readonly result: RefinementResult }
  | { readonly kind: 'failed'; readonly id: number; readonly place: string };

/** Terminate a thread that does not react to an abort within this time. */
const ABORT_MS_MAX = 500;
/** Try a task once more when its thread died. */
const ATTEMPTS_MAX = 2;
/** Texts longer than this, about 2000 words, go to the thread for long texts. */
const LONG_CHARACTERS = 12_000;

interface RefinementTask {
  readonly input: RefineInput;
  readonly result: Deferred<RefinementResult>;
  attempts: number;
  /** Set when the task is aborted; when it expires, the thread is terminated. */
  abortTimer?: NodeJS.Timeout;
}

class RefinementThread {
  readonly #source: RefinerSource;
  readonly #tasks = new Map<number, RefinementTask>();
  #worker: Worker | undefined;
  /** Ensures that the worker is terminated only between two calls of the tagger's network. */
  #gate = new RunGate();
  #nextId = 0;

  constructor(source: RefinerSource) {
    this.#source = source;
  }

  /** Starts the thread if it is not running. */
  start(): Worker {
    if (this.#worker) return this.#worker;
    this.#gate = new RunGate();
    const worker = new Worker(programUrl('transcription/text/refinement-worker'), {
      workerData: { ...this.#source, gateMemory: this.#gate.memory },
    });
    // An idle thread must not keep the process alive.
    worker.unref();
    worker.on('message', (message: FromRefinementThread) => this.#answered(message));
    worker.on('error', (failure) => this.#died(worker, failure));
    worker.on('exit', () => this.#died(worker, new Error('the refinement thread ended')));
    this.#worker = worker;
    return worker;
  }

  async run(input: RefineInput, signal: AbortSignal): Promise<RefinementResult> {
    signal.throwIfAborted();
    const id = this.#nextId++;
    const task: RefinementTask = { input, result: deferred(), attempts: 1 };
    this.#tasks.set(id, task);
    this.#post({ kind: 'run', id, input });
    const abort = () => this.#abort(id, task, signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await task.result.promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const id of this.#tasks.keys()) this.#take(id)?.result.reject(new Error('the refinement thread is closed'));
    await this.#gate.close();
    await worker?.terminate();
  }

  #post(message: ToRefinementThread): void {
    const worker = this.start();
    worker.ref();
    worker.postMessage(message);
  }

  #take(id: number): RefinementTask | undefined {
    const task = this.#tasks.get(id);
    clearTimeout(task?.abortTimer);
    this.#tasks.delete(id);
    if (this.#tasks.size === 0) this.#worker?.unref();
    return task;
  }

  #abort(id: number, task: RefinementTask, reason: unknown): void {
    task.result.reject(reason);
    if (!this.#tasks.has(id)) return;
    this.#post({ kind: 'abort', id });
    task.abortTimer = setTimeout(() => {
      this.#take(id);
      const worker = this.#worker;
      void this.#gate.close().then(() => worker?.terminate());
    }, ABORT_MS_MAX);
  }

  #answered(message: FromRefinementThread): void {
    const task = this.#take(message.id);
    if (message.kind === 'done') task?.result.resolve(message.result);
    else task?.result.reject(new Error(`refinement failed: ${message.place}`));
  }

  /** Tasks of a dead thread go to a new one, a limited number of times. */
  #died(worker: Worker, failure: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const [id, task] of this.#tasks) {
      if (task.abortTimer || task.attempts >= ATTEMPTS_MAX) this.#take(id)?.result.reject(lost(failure));
      else {
        task.attempts += 1;
        this.#post({ kind: 'run', id, input: task.input });
      }
    }
  }
}

/** The text is not necessarily to blame for a dead thread: the same request may succeed later. */
const lost = (cause: unknown): Fault =>
  new Fault('SERVICE_UNAVAILABLE', { message: 'Refinement is temporarily unavailable.', retryAfterSeconds: 1, cause });

export class RefinementThreads implements RefinementStage {
  readonly #short: RefinementThread;
  readonly #long: RefinementThread;

  constructor(source: RefinerSource) {
    this.#short = new RefinementThread(source);
    this.#long = new RefinementThread(source);
    // The other thread starts with the first long text.
    this.#short.start();
  }

  run(input: RefineInput, signal: AbortSignal): Promise<RefinementResult> {
    const characters = input.pieces.reduce((total, piece) => total + piece.text.length, 0);
    return (characters > LONG_CHARACTERS ? this.#long : this.#short).run(input, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()]);
  }
}
