// An upload decoder whose work is done on a thread: sends bytes as they are taken in, grants credit as samples are read.
import { Fault } from '../lib/fault.ts';
import { SAMPLE_RATE_HZ } from './pcm.ts';
import type { FromThread, JobKind, JobOutcome } from './protocol.ts';
import { abortError, SampleQueue } from './sample-queue.ts';
import type { Loss, Thread } from './thread.ts';
import type { LiveDecoder } from './upload-decoding.ts';

/** Bytes under way to the thread and not yet taken in by it. */
const UNTAKEN_BYTES_MAX = 256 * 1024;
const MESSAGE_BYTES_MAX = 64 * 1024;
/** Decoded audio that may wait for its reader. */
export const AHEAD_SAMPLES_MAX = 4 * SAMPLE_RATE_HZ;

interface PendingWrite {
  readonly bytes: Uint8Array;
  sent: number;
  resolve(): void;
}

let lastJob = 0;

export class ThreadedDecoder implements LiveDecoder {
  readonly #job = ++lastJob;
  readonly #thread: Thread;
  readonly #queue: SampleQueue;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#close(this.#signal?.reason ?? abortError());
  #writes: PendingWrite[] = [];
  #untakenBytes = 0;
  #input: 'open' | 'ending' | 'ended' = 'open';
  #durationSeconds = 0;
  #sourceChannels = 0;
  /** Whether the thread has nothing left to decode of what it was sent. */
  #isIdle = true;
  #awaitingDrain: (() => void)[] = [];

  constructor(thread: Thread, what: JobKind, signal: AbortSignal | undefined) {
    this.#thread = thread;
    this.#signal = signal;
    this.#queue = new SampleQueue((samples) => thread.post({ op: 'credit', job: this.#job, samples }));
    this.#queue.onStarved = () => this.#checkDrained();
    thread.attach(this.#job, {
      onReport: (report) => this.#onReport(report),
      onLost: (loss) => this.#finish(lossFault(loss)),
    });
    thread.post({ op: 'open', job: this.#job, what, creditSamples: AHEAD_SAMPLES_MAX });
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get durationSeconds(): number {
    return this.#durationSeconds;
  }

  get sourceChannels(): number {
    return this.#sourceChannels;
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#awaitingDrain.push(resolve);
      this.#checkDrained();
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    if (!this.#queue.isOpen || this.#input !== 'open' || bytes.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#writes.push({ bytes, sent: 0, resolve });
      this.#send();
    });
  }

  end(): void {
    if (!this.#queue.isOpen || this.#input !== 'open') return;
    this.#input = 'ending';
    this.#send();
  }

  abort(): void {
    this.#close(abortError());
  }

  [Symbol.asyncIterator](): AsyncIterator<Float32Array, undefined> {
    return {
      next: () => this.#queue.next(),
      // Leaving the loop early means that nobody wants the rest.
      return: () => {
        this.abort();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #send(): void {
    for (let [write] = this.#writes; write && this.#untakenBytes < UNTAKEN_BYTES_MAX; [write] = this.#writes) {
      // A copy that can be handed over; a Buffer's own slice would share the caller's memory.
      const bytes = new Uint8Array(write.bytes.subarray(write.sent, write.sent + MESSAGE_BYTES_MAX));
      write.sent += bytes.length;
      this.#untakenBytes += bytes.length;
      this.#isIdle = false;
      this.#thread.post({ op: 'bytes', job: this.#job, bytes }, [bytes.buffer]);
      if (write.sent < write.bytes.length) continue;
      this.#writes.shift();
      write.resolve();
    }
    if (this.#input !== 'ending' || this.#writes.length > 0) return;
    this.#input = 'ended';
    this.#thread.post({ op: 'end', job: this.#job });
  }

  #onReport({ decodedSeconds, sourceChannels, idle, samples, takenBytes, outcome }: FromThread): void {
    this.#durationSeconds = decodedSeconds;
    this.#sourceChannels = sourceChannels;
    if (samples) this.#queue.put(samples);
    if (takenBytes) {
      this.#untakenBytes -= takenBytes;
      this.#send();
    }
    this.#isIdle = idle && this.#untakenBytes === 0;
    if (outcome) this.#finish(outcome.kind === 'ended' ? undefined : outcomeFault(outcome));
    this.#checkDrained();
  }

  #checkDrained(): void {
    const isDrained = !this.#queue.isOpen || (this.#isIdle && this.#writes.length === 0 && this.#queue.isStarved);
    if (isDrained) for (const resolve of this.#awaitingDrain.splice(0)) resolve();
  }

  /** The caller wants no more: the thread is told to forget the job. */
  #close(reason: unknown): void {
    if (this.#queue.isOpen) {
      this.#thread.post({ op: 'abort', job: this.#job });
      this.#finish(reason);
    } else {
      this.#queue.fail(reason);
    }
  }

  /** Nothing more will come of this job; whoever waits is told. */
  #finish(error: unknown): void {
    this.#thread.detach(this.#job);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (error === undefined) this.#queue.end();
    else this.#queue.fail(error);
    for (const { resolve } of this.#writes.splice(0)) resolve();
  }
}

const outcomeFault = (outcome: Exclude<JobOutcome, { kind: 'ended' }>): Fault =>
  outcome.kind === 'refused'
    ? new Fault(outcome.code, { message: outcome.sentence })
    : new Fault('INTERNAL_ERROR', { cause: new Error(outcome.reason) });

const lossFault = (loss: Loss): Fault =>
  loss === 'culprit'
    ? new Fault('AUDIO_FORMAT_UNSUPPORTED', { message: 'The file cannot be decoded: its content breaks the decoder.' })
    : new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: new Error('the decoding thread was lost') });
