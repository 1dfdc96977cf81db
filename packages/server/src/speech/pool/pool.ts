// Runs recognisers in supervised processes, each with one window at a time; if a process dies, its window is retried.
import { SAMPLE_RATE_HZ } from '../../lib/sample-rate.ts';
import type { OnSpeechEvent } from '../engine-events.ts';
import { type ProcessStatus, ProcessUnavailable, SupervisedProcess } from '../process/supervised-process.ts';
import { type Recogniser, RecogniserUnavailable, type Recognition, type SpeechWindow } from '../recogniser.ts';
import { LoadedTiers } from './loaded-tiers.ts';
import type { RecogniserInit } from './serve-recogniser.ts';

/** Limit for loading on a busy machine; far more than a normal start needs. */
const LOAD_MS_MAX = 180_000;
const DEADLINE_MS_BASE = 30_000;
const DEADLINE_MS_PER_AUDIO_SECOND = 10_000;
/** Longer than the slowest model run, the encoder of Whisper small on one busy core. */
const SILENCE_MS_MAX = 45_000;

export interface RecogniserPoolOptions {
  /** Compiled entry file of the processes. */
  readonly entry: string;
  /** Init options of each process. Work goes to the first idle one. */
  readonly processes: readonly RecogniserInit[];
  /** A process larger than this after a window is replaced. */
  readonly rssBytesMax: number;
  /** Unload tiers unused for this long; by default, or with null, never. */
  readonly unloadAfterMs?: number | null;
  readonly onEvent?: OnSpeechEvent;
  /** Longer for larger models; shorter in tests that provoke hangs. */
  readonly silenceMsMax?: number;
}

interface Waiter {
  readonly take: (process: SupervisedProcess) => void;
  readonly refuse: (cause: Error) => void;
}

export class RecogniserPool implements Recogniser {
  readonly slots: number;
  readonly #options: RecogniserPoolOptions;
  readonly #processes: readonly SupervisedProcess[];
  readonly #waiters: Waiter[] = [];
  readonly #loadedTiers: LoadedTiers | undefined;
  readonly #brokenListeners: (() => void)[] = [];
  #wasBroken = false;
  #windows = 0;
  #isClosed = false;

  constructor(options: RecogniserPoolOptions) {
    this.#options = options;
    this.slots = options.processes.length;
    this.#processes = options.processes.map((init, index) => {
      const { onEvent } = options;
      const made = new SupervisedProcess({
        name: `recogniser ${index + 1}`,
        entry: options.entry,
        init,
        loadMsMax: LOAD_MS_MAX,
        rssBytesMax: options.rssBytesMax,
        ...(onEvent && { onEvent }),
      });
      made.onChange(() => this.#handOut());
      return made;
    });
    if (options.unloadAfterMs)
      this.#loadedTiers = new LoadedTiers(options.unloadAfterMs, options.processes, this.#processes);
  }

  start(): void {
    this.#loadedTiers?.start();
    for (const process of this.#processes) process.start();
  }

  get processes(): readonly ProcessStatus[] {
    return this.#processes.map(({ status }) => status);
  }

  /** Whether no process can load its models. Loading is retried with growing delays. */
  get isBroken(): boolean {
    return this.#processes.every(({ isBroken }) => isBroken);
  }

  onBroken(listener: () => void): void {
    this.#brokenListeners.push(listener);
  }

  /** Resolves when every process is loaded and warm; rejects when loading fails repeatedly, or on close. */
  async ready(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.ready()));
  }

  async recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    if (this.#windows >= this.slots) throw new Error('more windows than recogniser slots');
    this.#windows++;
    try {
      return await this.#tryTwice(window, signal);
    } finally {
      this.#windows--;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#loadedTiers?.close();
    this.#handOut();
    await Promise.all(this.#processes.map((process) => process.close()));
  }

  async #tryTwice(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    try {
      return await this.#run(window, signal);
    } catch (first) {
      const isRefused = first instanceof RecogniserUnavailable && !(first instanceof ProcessUnavailable);
      if (signal.aborted || this.#isClosed || isRefused) throw first;
      const error = first instanceof Error ? first.name : 'Error';
      this.#options.onEvent?.({ type: 'recognition_retried', requestId: window.requestId, error });
    }
    return this.#run(window, signal);
  }

  async #run(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    const audioSeconds = window.samples.length / SAMPLE_RATE_HZ;
    const limits = {
      deadlineMs: DEADLINE_MS_BASE + audioSeconds * DEADLINE_MS_PER_AUDIO_SECOND,
      silenceMsMax: this.#options.silenceMsMax ?? SILENCE_MS_MAX,
      signal,
      requestId: window.requestId,
    };
    return this.#onIdle(signal, async (process) => {
      this.#loadedTiers?.use(process, window.tier);
      const result = await process.call(window, limits);
      this.#loadedTiers?.use(process, window.tier);
      return result as Recognition;
    });
  }

  /** Uses an idle process, or waits for the next one. There are never more windows than processes. */
  #onIdle<T>(signal: AbortSignal, work: (process: SupervisedProcess) => Promise<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', onAbort);
        const index = this.#waiters.indexOf(waiter);
        if (index >= 0) this.#waiters.splice(index, 1);
      };
      const waiter: Waiter = {
        // Start in the same tick, so that no other window gets this process.
        take: (process) => {
          leave();
          resolve(work(process));
        },
        refuse: (cause) => {
          leave();
          reject(cause);
        },
      };
      const onAbort = () => waiter.refuse(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
      this.#handOut();
    });
  }

  #handOut(): void {
    for (const process of this.#processes) {
      if (process.state === 'idle') this.#waiters[0]?.take(process);
    }
    if (this.#isClosed) this.#refuseAll('The recognisers are closed.');
    else if (this.isBroken) this.#refuseAll('No recogniser can load its models.');
    if (this.isBroken === this.#wasBroken) return;
    this.#wasBroken = this.isBroken;
    for (const listener of this.#brokenListeners) listener();
  }

  #refuseAll(why: string): void {
    for (const waiter of [...this.#waiters]) waiter.refuse(new RecogniserUnavailable(why));
  }
}
