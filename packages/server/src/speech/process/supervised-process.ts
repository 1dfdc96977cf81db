// A supervised process: serves one call at a time, is killed when it hangs and restarted when it dies.
import { systemClock } from '../../lib/time/clock.ts';
import type { OnSpeechEvent, ProcessEnd, ProcessEndReason } from '../engine-events.ts';
import { RecogniserUnavailable } from '../recogniser.ts';
import { LOAD_FAILURES_MAX, restartDelayMs } from './backoff.ts';
import { Child } from './child.ts';
import { sentenceOf } from './end-sentence.ts';
import { LongestStep } from './longest-step.ts';
import type { ChildError, FromChild } from './protocol.ts';

interface SupervisedOptions {
  readonly name: string;
  /** Compiled file that calls `serveCalls`. */
  readonly entry: string;
  /** Passed to the child's `load`. */
  readonly init: unknown;
  readonly loadMsMax: number;
  /** A process that is larger after a call is restarted. */
  readonly rssBytesMax?: number;
  readonly onEvent?: OnSpeechEvent;
}

interface CallLimits {
  readonly deadlineMs: number;
  /** Longest time between two signs of life. */
  readonly silenceMsMax: number;
  readonly signal?: AbortSignal;
  /** Included in events. */
  readonly requestId?: string;
}

type ProcessState = 'loading' | 'idle' | 'busy' | 'restarting' | 'closed';

export interface ProcessStatus {
  readonly pid: number | null;
  readonly state: ProcessState;
  readonly callsDone: number;
  readonly restarts: number;
  readonly rssBytes: number;
}

/** The process died, hung or could not load: the call may be retried elsewhere. */
export class ProcessUnavailable extends RecogniserUnavailable {}

/**
 * The call threw in the child because of a bug or a bad model; the process continues. Keeps the name and stack of the
 * child's error.
 */
class CallFailure extends Error {
  constructor({ name, message, stack }: ChildError) {
    super(message);
    this.name = name;
    this.stack = stack;
  }
}

/**
 * A cancelled call may finish its current model run; then it stops by itself, within two seconds on a slow machine.
 * A kill means loading all models again, so only a run that takes much longer than recent ones is killed. The minimum
 * is for the first run of a large model after small ones.
 */
const STOP_MS = { min: 6_000, max: 15_000, factor: 3 } as const;

interface PendingCall {
  readonly id: number;
  readonly requestId: string | undefined;
  readonly finish: (outcome: { readonly result: unknown } | { readonly error: Error }) => void;
  readonly onAlive: () => void;
}

export class SupervisedProcess {
  readonly #options: SupervisedOptions;
  #init: unknown;
  #child: Child | null = null;
  #state: ProcessState = 'restarting';
  #call: PendingCall | null = null;
  #lastId = 0;
  #callsDone = 0;
  #restarts = 0;
  #rssBytes = 0;
  #loadFailures = 0;
  readonly #longestStep = new LongestStep(systemClock);
  #lastEnd: ProcessEnd | null = null;
  /** Why it is being killed; otherwise null. */
  #killed: ProcessEnd | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #stateListeners = new Set<() => void>();

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.#init = options.init;
  }

  get status(): ProcessStatus {
    return {
      pid: this.#child?.pid ?? null,
      state: this.#state,
      callsDone: this.#callsDone,
      restarts: this.#restarts,
      rssBytes: this.#child ? this.#rssBytes : 0,
    };
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** Loading failed repeatedly: callers should not wait. Loading is still retried with growing delays. */
  get isBroken(): boolean {
    return this.#loadFailures >= LOAD_FAILURES_MAX;
  }

  /** Resolves when loaded and warm; rejects when loading fails repeatedly, or on close. */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { name } = this.#options;
      const check = () => {
        if (this.#state === 'idle' || this.#state === 'busy') resolve();
        else if (this.isBroken) reject(new ProcessUnavailable(`${name} cannot start: ${this.#lastEndSentence}`));
        else if (this.#state === 'closed') reject(new ProcessUnavailable(`${name} was closed`));
        else return;
        this.#stateListeners.delete(check);
      };
      this.onChange(check);
      check();
    });
  }

  onChange(listener: () => void): void {
    this.#stateListeners.add(listener);
  }

  start(): void {
    if (this.#state !== 'restarting' || this.#child) return;
    this.#become('loading');
    let child: Child;
    try {
      child = new Child(this.#options.entry, {
        onMessage: (message) => this.#onMessage(message),
        onExit: (detail) => this.#onExit(child, detail),
      });
    } catch (cause) {
      // Without memory, even starting a process throws.
      this.#over(undefined, (cause as Error).message);
      return;
    }
    this.#child = child;
    this.#arm(this.#options.loadMsMax, () => this.#kill({ reason: 'load_timed_out' }));
    child.send({ type: 'init', options: this.#init });
  }

  /** The process must be idle. Rejects with ProcessUnavailable, CallFailure, or the signal's reason. */
  call(payload: unknown, limits: CallLimits): Promise<unknown> {
    const child = this.#child;
    if (this.#state !== 'idle' || !child) throw new Error(`${this.#options.name} is ${this.#state}, not idle`);
    const { signal, requestId } = limits;
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.#kill({ reason: 'call_timed_out' }), limits.deadlineMs);
      const silence = setTimeout(() => this.#kill({ reason: 'no_sign_of_life' }), limits.silenceMsMax);
      let stopping: NodeJS.Timeout | undefined;
      const onAbort = () => {
        child.stopCall(id);
        stopping = setTimeout(() => this.#kill({ reason: 'stop_timed_out' }), this.#stopMsMax);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#call = {
        id,
        requestId,
        onAlive: () => silence.refresh(),
        finish: (outcome) => {
          for (const timer of [deadline, silence, stopping]) clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          this.#call = null;
          if (signal?.aborted) reject(signal.reason as Error);
          else if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.result);
        },
      };
      this.#become('busy');
      child.send({ type: 'call', id, payload });
    });
  }

  /** Ends an idle or busy process and starts it again, with new options if given. */
  restart(reason: ProcessEndReason, init: unknown = this.#init): void {
    this.#init = init;
    if (this.#state === 'idle') this.#become('restarting');
    this.#kill({ reason });
  }

  /** Resolves when the process is gone. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#become('closed');
    this.#call?.finish({ error: new ProcessUnavailable(`${this.#options.name} was closed`) });
    if (!child) return;
    await new Promise<void>((resolve) => {
      this.onChange(() => {
        if (!this.#child) resolve();
      });
      child.kill();
    });
  }

  get #stopMsMax(): number {
    return Math.min(STOP_MS.max, Math.max(STOP_MS.min, STOP_MS.factor * this.#longestStep.ms));
  }

  #onMessage(message: FromChild): void {
    if (this.#state === 'closed') return;
    if (message.type === 'ready') {
      clearTimeout(this.#timer);
      this.#loadFailures = 0;
      this.#rssBytes = message.rssBytes;
      this.#become('idle');
    } else if (message.type === 'load-failed') this.#kill({ reason: 'load_failed', detail: message.error.message });
    else if (message.type === 'notice')
      this.#options.onEvent?.({ type: 'process_notice', process: this.#options.name, text: message.text });
    else if (message.id !== this.#call?.id) return;
    else if (message.type === 'alive') this.#call.onAlive();
    else {
      this.#rssBytes = message.rssBytes;
      if (message.rssBytes > (this.#options.rssBytesMax ?? Number.POSITIVE_INFINITY))
        this.#kill({ reason: 'memory_limit' });
      this.#longestStep.record(message.longestStepMs);
      this.#callsDone++;
      // A result that arrives while the process is being killed still counts.
      this.#state = this.#killed === null ? 'idle' : 'restarting';
      this.#call.finish(
        message.type === 'done' ? { result: message.result } : { error: new CallFailure(message.error) },
      );
      this.#notify();
    }
  }

  #onExit(child: Child, detail: string): void {
    if (this.#child !== child) return;
    this.#child = null;
    if (this.#state === 'closed') this.#notify();
    else this.#over(child.pid, detail);
  }

  #over(pid: number | undefined, detail: string): void {
    clearTimeout(this.#timer);
    const { name, onEvent } = this.#options;
    const end: ProcessEnd = this.#killed ?? { reason: 'exited', detail };
    this.#killed = null;
    if (this.#state === 'loading') this.#loadFailures++;
    this.#restarts++;
    this.#lastEnd = end;
    const requestId = this.#call?.requestId;
    onEvent?.({
      type: 'process_ended',
      process: name,
      ...(pid !== undefined && { pid }),
      ...(requestId !== undefined && { requestId }),
      ...end,
    });
    this.#state = 'restarting';
    this.#call?.finish({ error: new ProcessUnavailable(`${name} ${sentenceOf(end)}`) });
    this.#arm(restartDelayMs(this.#loadFailures), () => this.start());
    this.#notify();
  }

  get #lastEndSentence(): string {
    return this.#lastEnd ? sentenceOf(this.#lastEnd) : 'unknown';
  }

  #kill(end: ProcessEnd): void {
    if (!this.#child) return;
    this.#killed ??= end;
    this.#child.kill();
  }

  #arm(delayMs: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, delayMs);
  }

  #become(state: ProcessState): void {
    this.#state = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#stateListeners]) listener();
  }
}
