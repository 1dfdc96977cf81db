// The voice activity detection process: opens probes, serves their requests in order, and retries them when it dies.
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../lib/process/programs.ts';
import type { OnSpeechEvent } from '../engine-events.ts';
import { CallQueue } from '../process/call-queue.ts';
import type { ProcessStatus } from '../process/supervised-process.ts';
import type { VoiceProbe } from '../recogniser.ts';
import type { TurnDetector, TurnPause } from '../turns/turn-detector.ts';
import { QueuedVoiceProbe } from './probe.ts';
import { VAD_STATE_SIZE } from './silero-graph.ts';
import type { VadResult } from './silero-model.ts';

const ENTRY = fileURLToPath(programUrl('speech/vad/vad-process-entry'));
const LOAD_MS_MAX = 60_000;
/** A full batch takes a few hundredths of a second; the limit is for an overloaded machine. */
const CALL_MS_MAX = 20_000;

interface VadProcessOptions {
  readonly modelPath: string;
  readonly onEvent?: OnSpeechEvent;
  /** For tests. */
  readonly entry?: string;
}

export class VadProcess implements TurnDetector {
  /** Bounded: a probe has at most one request at a time, and a session a few questions about ends of turns. */
  readonly #calls: CallQueue;

  constructor({ modelPath, onEvent, entry }: VadProcessOptions) {
    this.#calls = new CallQueue({
      name: 'voice',
      entry: entry ?? ENTRY,
      init: { modelPath },
      loadMsMax: LOAD_MS_MAX,
      callMsMax: CALL_MS_MAX,
      onEvent,
    });
  }

  start(): void {
    this.#calls.start();
  }

  get status(): ProcessStatus {
    return this.#calls.status;
  }

  ready(): Promise<void> {
    return this.#calls.ready();
  }

  openProbe(): VoiceProbe {
    return new QueuedVoiceProbe((request) => this.#calls.ask(request) as Promise<VadResult>, VAD_STATE_SIZE);
  }

  chances(pause: TurnPause): Promise<readonly number[]> {
    return this.#calls.ask(pause) as Promise<readonly number[]>;
  }

  close(): Promise<void> {
    return this.#calls.close();
  }
}
