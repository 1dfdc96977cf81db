// A decoder that runs on a thread: sends bytes as the thread consumes them, grants credit as samples are read.
import { Fault } from '../../lib/fault.ts';
import { ActivityLog } from '../channel-activity.ts';
import { SAMPLE_RATE_HZ } from '../pcm.ts';
import type { LiveDecoder } from '../upload-decoding.ts';
import type { DecodeInput, DecodeOutcome, FromThread } from './protocol.ts';
import { abortError, SampleQueue } from './sample-queue.ts';
import { type Loss, TASK_COST, type Thread } from './thread.ts';

/** Limit on bytes sent to the thread and not yet consumed. */
const UNTAKEN_BYTES_MAX = 256 * 1024;
const MESSAGE_BYTES_MAX = 64 * 1024;
/** Limit on decoded audio that waits for its reader. */
export const AHEAD_SAMPLES_MAX = 4 * SAMPLE_RATE_HZ;

interface PendingWrite {
  readonly bytes: Uint8Array;
  sent: number;
  resolve(): void;
}

export interface ThreadedDecoderOptions {
  readonly owner?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

let lastTask = 0;

export class ThreadedDecoder implements LiveDecoder {
  readonly #task = ++lastTask;
  readonly #thread: Thread;
  readonly #queue: SampleQueue;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#close(this.#signal?.reason ?? abortError());
  #writes: PendingWrite[] = [];
  #untakenBytes = 0;
  #input: 'open' | 'ending' | 'ended' = 'open';
  #durationSeconds = 0;
  #sourceChannels = 0;
  readonly #activity = new ActivityLog();
  /** Whether the thread has decoded everything it was sent. */
  #isIdle = true;
  #awaitingDrain: (() => void)[] = [];

  /** Without an owner, the decoder gets its own turns. */
  constructor(thread: Thread, input: DecodeInput, { owner, signal }: ThreadedDecoderOptions = {}) {
    this.#thread = thread;
    this.#signal = signal;
    this.#queue = new SampleQueue((samples) => thread.post({ op: 'credit', task: this.#task, samples }));
    this.#queue.onStarved = () => this.#checkDrained();
    const listener = {
      onReport: (report: FromThread) => this.#onReport(report),
      onLost: (loss: Loss) => this.#finish(lossFault(loss)),
    };
    const isMeasuring = input.kind === 'upload' && input.measure === 'length';
    thread.attach(this.#task, listener, isMeasuring ? TASK_COST.measuring : TASK_COST.decoding);
    thread.post({
      op: 'open',
      task: this.#task,
      owner: owner ?? `task ${this.#task}`,
      input,
      creditSamples: AHEAD_SAMPLES_MAX,
    });
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get durationSeconds(): number {
    return this.#durationSeconds;
  }

  get sourceChannels(): number {
    return this.#sourceChannels;
  }

  get channelActivity(): Uint8Array {
    return this.#activity.take();
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
      // The reader left the loop early and does not want the rest.
      return: () => {
        this.abort();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #send(): void {
    for (let [write] = this.#writes; write && this.#untakenBytes < UNTAKEN_BYTES_MAX; [write] = this.#writes) {
      // Copy before transferring: the slice of a Buffer would share the caller's memory.
      const bytes = new Uint8Array(write.bytes.subarray(write.sent, write.sent + MESSAGE_BYTES_MAX));
      write.sent += bytes.length;
      this.#untakenBytes += bytes.length;
      this.#isIdle = false;
      this.#thread.post({ op: 'bytes', task: this.#task, bytes }, [bytes.buffer]);
      if (write.sent < write.bytes.length) continue;
      this.#writes.shift();
      write.resolve();
    }
    if (this.#input !== 'ending' || this.#writes.length > 0) return;
    this.#input = 'ended';
    this.#thread.post({ op: 'end', task: this.#task });
  }

  #onReport(report: FromThread): void {
    const { decodedSeconds, sourceChannels, idle, samples, takenBytes, outcome, activity } = report;
    if (activity) this.#activity.append(activity);
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

  #close(reason: unknown): void {
    if (this.#queue.isOpen) {
      this.#thread.post({ op: 'abort', task: this.#task });
      this.#finish(reason);
    } else {
      this.#queue.fail(reason);
    }
  }

  #finish(error: unknown): void {
    this.#thread.detach(this.#task);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (error === undefined) this.#queue.end();
    else this.#queue.fail(error);
    for (const { resolve } of this.#writes.splice(0)) resolve();
  }
}

const outcomeFault = (outcome: Exclude<DecodeOutcome, { kind: 'ended' }>): Fault =>
  outcome.kind === 'refused'
    ? new Fault(outcome.code, { message: outcome.sentence })
    : new Fault('INTERNAL_ERROR', { cause: new Error(outcome.reason) });

const lossFault = (loss: Loss): Fault =>
  loss === 'culprit'
    ? new Fault('AUDIO_FORMAT_UNSUPPORTED', { message: 'The file cannot be decoded: its content breaks the decoder.' })
    : new Fault('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1, cause: new Error('the decoding thread was lost') });
