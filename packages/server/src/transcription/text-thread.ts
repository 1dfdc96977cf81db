// The text stage on worker threads: one for what people wait for, one for very long texts, each replaced when it hangs.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RefinerOptions } from '../refine/create-refiner.ts';
import type { RefineInput, Refiner } from '../refine/refiner.ts';
import { RunGate } from '../refine/tagger/run-gate.ts';
import { type Deferred, deferred } from './deferred.ts';
import type { TextStage, Written } from './text-stage.ts';

/** What the module named by `moduleUrl` exports. */
export interface RefinerModule {
  /** `gateMemory` is shared with whoever may end the thread, see refine/tagger/run-gate.ts. */
  createRefiner(settings: unknown, gateMemory: SharedArrayBuffer): Refiner;
}

/** Where a thread finds its refiner: threads share no objects, so it is made in each. */
export interface RefinerSource {
  readonly moduleUrl: string;
  /** Handed to `createRefiner`; copied to the thread. */
  readonly settings: unknown;
}

/** The refiner of the service, for the threads. */
export const serviceRefiner = (options: RefinerOptions): RefinerSource => ({
  moduleUrl: new URL(`../refine/create-refiner${extname(import.meta.url)}`, import.meta.url).href,
  settings: options,
});

export type ToTextThread =
  | { readonly kind: 'write'; readonly id: number; readonly input: RefineInput }
  | { readonly kind: 'abort'; readonly id: number };
export type FromTextThread =
  | { readonly kind: 'written'; readonly id: number; readonly written: Written }
  | { readonly kind: 'failed'; readonly id: number; readonly place: string };

/** A thread that does not heed an abort within this time is ended. */
const ABORT_HEEDED_MS = 500;
/** A job that was on a thread that died is tried once more. */
const ATTEMPTS_MAX = 2;
/** Texts longer than this, some 2000 words, go to the thread for long texts. */
const LONG_CHARACTERS = 12_000;

interface Job {
  readonly input: RefineInput;
  readonly settled: Deferred<Written>;
  attempts: number;
  /** Set when the job was aborted: what ends the thread if it goes on regardless. */
  patience?: NodeJS.Timeout;
}

class TextThread {
  readonly #source: RefinerSource;
  readonly #jobs = new Map<number, Job>();
  #worker: Worker | undefined;
  /** Of the running worker: it is ended only between two calls of the tagger's network. */
  #gate = new RunGate();
  #nextId = 0;

  constructor(source: RefinerSource) {
    this.#source = source;
  }

  /** Starts the thread, if it does not run. */
  start(): Worker {
    if (this.#worker) return this.#worker;
    const entry = new URL(`./text-worker${extname(import.meta.url)}`, import.meta.url);
    this.#gate = new RunGate();
    const worker = new Worker(entry, { workerData: { ...this.#source, gateMemory: this.#gate.memory } });
    // Only work keeps the process alive.
    worker.unref();
    worker.on('message', (message: FromTextThread) => this.#answered(message));
    worker.on('error', (failure) => this.#died(worker, failure));
    worker.on('exit', () => this.#died(worker, new Error('the text thread ended')));
    this.#worker = worker;
    return worker;
  }

  async write(input: RefineInput, signal: AbortSignal): Promise<Written> {
    signal.throwIfAborted();
    const id = this.#nextId++;
    const job: Job = { input, settled: deferred(), attempts: 1 };
    this.#jobs.set(id, job);
    this.#post({ kind: 'write', id, input });
    const abort = () => this.#abort(id, job, signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await job.settled.promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const id of this.#jobs.keys()) this.#take(id)?.settled.reject(new Error('the text thread is closed'));
    await this.#gate.close();
    await worker?.terminate();
  }

  #post(message: ToTextThread): void {
    const worker = this.start();
    worker.ref();
    worker.postMessage(message);
  }

  #take(id: number): Job | undefined {
    const job = this.#jobs.get(id);
    clearTimeout(job?.patience);
    this.#jobs.delete(id);
    if (this.#jobs.size === 0) this.#worker?.unref();
    return job;
  }

  #abort(id: number, job: Job, reason: unknown): void {
    job.settled.reject(reason);
    if (!this.#jobs.has(id)) return;
    this.#post({ kind: 'abort', id });
    job.patience = setTimeout(() => {
      this.#take(id);
      const worker = this.#worker;
      void this.#gate.close().then(() => worker?.terminate());
    }, ABORT_HEEDED_MS);
  }

  #answered(message: FromTextThread): void {
    const job = this.#take(message.id);
    if (message.kind === 'written') job?.settled.resolve(message.written);
    else job?.settled.reject(new Error(`refinement failed: ${message.place}`));
  }

  /** What was on the thread that died goes to a new one, but not for ever. */
  #died(worker: Worker, failure: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const [id, job] of this.#jobs) {
      if (job.patience || job.attempts >= ATTEMPTS_MAX) this.#take(id)?.settled.reject(failure);
      else {
        job.attempts += 1;
        this.#post({ kind: 'write', id, input: job.input });
      }
    }
  }
}

export class TextThreads implements TextStage {
  readonly #short: TextThread;
  readonly #long: TextThread;

  constructor(source: RefinerSource) {
    this.#short = new TextThread(source);
    this.#long = new TextThread(source);
    // The one for long texts starts when there is one.
    this.#short.start();
  }

  write(input: RefineInput, signal: AbortSignal): Promise<Written> {
    const characters = input.pieces.reduce((total, piece) => total + piece.text.length, 0);
    return (characters > LONG_CHARACTERS ? this.#long : this.#short).write(input, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#short.close(), this.#long.close()]);
  }
}
