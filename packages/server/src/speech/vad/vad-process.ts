// The process for voice activity detection: opens probes, serves their requests in order, and survives the process's
// death.
import { fileURLToPath } from 'node:url';
import type { OnSpeechEvent } from '../engine-events.ts';
import { type ProcessStatus, ProcessUnavailable, SupervisedProcess } from '../process/supervised-process.ts';
import { RecogniserUnavailable, type VoiceProbe } from '../recogniser.ts';
import { QueuedVoiceProbe } from './probe.ts';
import { VAD_STATE_SIZE } from './silero-graph.ts';
import type { VadRequest, VadResult } from './silero-model.ts';

const ENTRY = fileURLToPath(new URL('./vad-process-entry.js', import.meta.url));
const LOAD_MS_MAX = 60_000;
/** A full batch takes a few hundredths of a second; the limit is for an overloaded machine. */
const CALL_MS_MAX = 20_000;
const TRIES_MAX = 2;

interface PendingRequest {
  readonly request: VadRequest;
  tries: number;
  readonly resolve: (answer: VadResult) => void;
  readonly reject: (cause: Error) => void;
}

interface VadProcessOptions {
  readonly modelPath: string;
  readonly onEvent?: OnSpeechEvent;
  /** For tests. */
  readonly entry?: string;
}

export class VadProcess {
  readonly #process: SupervisedProcess;
  /** Bounded: each probe has at most one request. */
  readonly #pending: PendingRequest[] = [];
  #isClosed = false;

  constructor({ modelPath, onEvent, entry }: VadProcessOptions) {
    this.#process = new SupervisedProcess({
      name: 'voice',
      entry: entry ?? ENTRY,
      init: { modelPath },
      loadMsMax: LOAD_MS_MAX,
      ...(onEvent && { onEvent }),
    });
    this.#process.onChange(() => this.#next());
  }

  start(): void {
    this.#process.start();
  }

  get status(): ProcessStatus {
    return this.#process.status;
  }

  ready(): Promise<void> {
    return this.#process.ready();
  }

  openProbe(): VoiceProbe {
    return new QueuedVoiceProbe((request) => this.#ask(request), VAD_STATE_SIZE);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseAll('The voice process was closed.');
    await this.#process.close();
  }

  #ask(request: VadRequest): Promise<VadResult> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ request, tries: 0, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#isClosed) return;
    if (this.#process.isBroken) this.#refuseAll('The voice process cannot load its model.');
    if (this.#process.state !== 'idle') return;
    const pending = this.#pending.shift();
    if (pending) void this.#run(pending);
  }

  async #run(pending: PendingRequest): Promise<void> {
    pending.tries++;
    try {
      const limits = { deadlineMs: CALL_MS_MAX, silenceMsMax: CALL_MS_MAX };
      pending.resolve((await this.#process.call(pending.request, limits)) as VadResult);
    } catch (cause) {
      if (cause instanceof ProcessUnavailable && pending.tries < TRIES_MAX && !this.#isClosed)
        this.#pending.unshift(pending);
      else pending.reject(cause as Error);
    }
    this.#next();
  }

  #refuseAll(why: string): void {
    for (const pending of this.#pending.splice(0)) pending.reject(new RecogniserUnavailable(why));
  }
}
