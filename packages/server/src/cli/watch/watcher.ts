// Watches a folder or a bucket by listing it: new recordings are transcribed when they no longer change.
import { setTimeout as pause } from 'node:timers/promises';
import { handlingOf, retryDelayMs } from './failures.ts';
import { WatchMessages } from './messages.ts';
import { PendingRecordings } from './pending-recordings.ts';
import type { FoundRecording, Listing } from './ports.ts';
import { type RecordingWork, type Result, releaseOutput, transcribeRecording } from './transcribe-recording.ts';

export interface WatcherOptions extends Omit<RecordingWork, 'isPresent'> {
  /** The watched place, for messages. */
  readonly address: string;
  readonly concurrency: number;
  readonly settleMs: number;
  readonly intervalMs: number;
  readonly onResult: (found: FoundRecording, result: Result) => Promise<void>;
}

/** Listing takes at most a tenth of the time. */
const PAUSE_PER_LISTING = 9;

export class Watcher {
  readonly #options: WatcherOptions;
  readonly #work: RecordingWork;
  readonly #pending: PendingRecordings;
  readonly #messages = new WatchMessages();
  readonly #running = new Set<Promise<void>>();
  /** After a failure that does not depend on the recording, nothing is sent before this time. */
  #notBeforeMs = 0;
  /** Ends the current pause. */
  #wake = new AbortController();

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#pending = new PendingRecordings(options.settleMs);
    this.#work = { ...options, isPresent: (address) => this.#pending.has(address) };
  }

  /** Resolves when `leave` is aborted and the recordings in progress have ended. */
  async run(first: Listing): Promise<void> {
    const { leave, intervalMs } = this.#options;
    const wakeUp = () => this.#wake.abort();
    leave.addEventListener('abort', wakeUp, { once: true });
    this.#takeListing(first);
    let listingMs = 0;
    let listedAtMs = performance.now();
    while (!leave.aborted) {
      this.#startDue();
      const pauseMs = Math.max(intervalMs, PAUSE_PER_LISTING * listingMs);
      await this.#pause(listedAtMs + pauseMs - performance.now());
      if (leave.aborted || performance.now() < listedAtMs + pauseMs) continue;
      listedAtMs = performance.now();
      await this.#list();
      listingMs = performance.now() - listedAtMs;
    }
    await Promise.all(this.#running);
  }

  async #list(): Promise<void> {
    const { source, address, leave } = this.#options;
    try {
      this.#takeListing(await source.list(leave));
      if (this.#messages.over(address)) this.#messages.say(address, 'It can be read again.');
    } catch (thrown) {
      if (!leave.aborted) this.#messages.trouble(address, thrown, ' Retrying until it can be read.');
    }
  }

  #takeListing({ recordings, unusable }: Listing): void {
    for (const { address, reason } of unusable) this.#messages.trouble(address, reason);
    this.#pending.update(recordings, performance.now());
    const present = [...recordings, ...unusable].map(({ address }) => address);
    this.#messages.keepOnly(new Set([...present, this.#options.address]));
  }

  #startDue(): void {
    const nowMs = performance.now();
    if (nowMs < this.#notBeforeMs) return;
    for (const found of this.#pending.take(this.#options.concurrency - this.#running.size, nowMs)) {
      const run = this.#transcribe(found).finally(() => {
        this.#running.delete(run);
        this.#wake.abort();
      });
      this.#running.add(run);
    }
  }

  /** Never rejects. */
  async #transcribe(found: FoundRecording): Promise<void> {
    try {
      const result = await transcribeRecording(found, this.#work);
      this.#pending.done(found);
      this.#messages.over(found.address);
      if (result.kind === 'renamed')
        this.#messages.say(found.address, `It was transcribed before, to ${this.#addressOf(result.output)}.`);
      await this.#options.onResult(found, result);
    } catch (thrown) {
      await this.#failed(found, thrown);
    }
  }

  async #failed(found: FoundRecording, thrown: unknown): Promise<void> {
    const { signal, leave } = this.#options;
    const handling = handlingOf(thrown);
    if (handling === 'skip') {
      this.#pending.done(found);
      await releaseOutput(found, this.#work).catch((cause) => this.#messages.trouble(found.address, cause));
    }
    if (handling === 'skip' || leave.aborted) {
      if (!signal.aborted) this.#messages.trouble(found.address, thrown);
      return;
    }
    const nowMs = performance.now();
    const delayMs = this.#pending.retry(found, nowMs, (failures) => retryDelayMs(thrown, failures));
    if (handling === 'retry all') this.#notBeforeMs = Math.max(this.#notBeforeMs, nowMs + delayMs);
    this.#messages.trouble(found.address, thrown, ` Next attempt in ${Math.ceil(delayMs / 1000)} s.`);
  }

  #addressOf(output: string): string {
    return this.#options.output.addressOf(output);
  }

  /** Ends early when a recording is done or the watcher stops. */
  async #pause(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.#wake.signal }).catch(() => undefined);
    if (this.#wake.signal.aborted && !this.#options.leave.aborted) this.#wake = new AbortController();
  }
}
