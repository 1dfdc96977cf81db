// Queues calls to one supervised process: owners take turns, a call is retried if the process dies, and an unused
// process is ended.
import type { OnSpeechEvent } from '../engine-events.ts';
import { RecogniserUnavailable } from '../recogniser.ts';
import { type ProcessStatus, ProcessUnavailable, SupervisedProcess } from './supervised-process.ts';

interface CallQueueOptions {
  readonly name: string;
  readonly entry: string;
  readonly init: unknown;
  readonly loadMsMax: number;
  readonly callMsMax: number;
  /** Ends an unused process after this long; the next call starts it again. Default: never. */
  readonly unloadAfterMs?: number | null;
  readonly onEvent?: OnSpeechEvent | undefined;
}

interface Pending {
  readonly request: unknown;
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  tries: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (cause: Error) => void;
}

const TRIES_MAX = 2;
const NOT_STARTED: ProcessStatus = { pid: null, state: 'restarting', callsDone: 0, restarts: 0, rssBytes: 0 };

export class CallQueue {
  readonly #options: CallQueueOptions;
  /** By owner, in the order of their turns. Bounded, because callers wait for each answer before they ask again. */
  readonly #pending = new Map<string, Pending[]>();
  #process: SupervisedProcess | undefined;
  #unloadTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  get status(): ProcessStatus {
    return this.#process?.status ?? NOT_STARTED;
  }

  /** Starts the process, if the first call has not started it. */
  start(): SupervisedProcess {
    if (this.#process) return this.#process;
    const { name, entry, init, loadMsMax, onEvent } = this.#options;
    const process = new SupervisedProcess({ name, entry, init, loadMsMax, ...(onEvent && { onEvent }) });
    this.#process = process;
    process.onChange(() => this.#next());
    process.start();
    return process;
  }

  ready(): Promise<void> {
    return this.start().ready();
  }

  /** Rejects with RecogniserUnavailable, or with the signal's reason; any other error is a bug. */
  ask(request: unknown, owner = '', signal?: AbortSignal): Promise<unknown> {
    if (this.#isClosed)
      return Promise.reject(new RecogniserUnavailable(`The ${this.#options.name} process was closed.`));
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    clearTimeout(this.#unloadTimer);
    return new Promise((resolve, reject) => {
      const pending: Pending = { request, owner, signal, tries: 0, resolve, reject };
      this.#pending.set(owner, [...(this.#pending.get(owner) ?? []), pending]);
      this.start();
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#unloadTimer);
    this.#refuseAll('was closed');
    await this.#process?.close();
  }

  #next(): void {
    const process = this.#process;
    if (this.#isClosed || !process) return;
    if (process.isBroken) this.#refuseAll('cannot load its models');
    if (process.state !== 'idle') return;
    const pending = this.#take();
    if (pending) void this.#run(process, pending);
    else this.#unloadLater(process);
  }

  /** Takes the first call of the next owner, and moves that owner to the end. */
  #take(): Pending | undefined {
    for (const [owner, [first, ...rest]] of this.#pending) {
      this.#pending.delete(owner);
      if (rest.length > 0) this.#pending.set(owner, rest);
      if (!first) continue;
      if (!first.signal?.aborted) return first;
      first.reject(first.signal.reason as Error);
      return this.#take();
    }
    return undefined;
  }

  async #run(process: SupervisedProcess, pending: Pending): Promise<void> {
    const { request, owner, signal, resolve, reject } = pending;
    const { callMsMax } = this.#options;
    pending.tries += 1;
    try {
      const limits = { deadlineMs: callMsMax, silenceMsMax: callMsMax, ...(signal && { signal }) };
      resolve(await process.call(request, limits));
    } catch (cause) {
      const isLost = cause instanceof ProcessUnavailable && pending.tries < TRIES_MAX && !this.#isClosed;
      if (isLost) this.#pending.set(owner, [pending, ...(this.#pending.get(owner) ?? [])]);
      else reject(cause as Error);
    }
    this.#next();
  }

  #unloadLater(process: SupervisedProcess): void {
    const { unloadAfterMs } = this.#options;
    clearTimeout(this.#unloadTimer);
    if (!unloadAfterMs) return;
    this.#unloadTimer = setTimeout(() => {
      this.#process = undefined;
      // Do not wait for its end: a new process may start in the meantime.
      void process.close();
    }, unloadAfterMs);
  }

  #refuseAll(why: string): void {
    const waiting = [...this.#pending.values()].flat();
    this.#pending.clear();
    for (const { reject } of waiting) reject(new RecogniserUnavailable(`The ${this.#options.name} process ${why}.`));
  }
}
