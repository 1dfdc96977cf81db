// The speech engine of one machine: model files made ready, then a voice process and a pool of recognisers.
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/config.ts';
import { modelsFor } from './cascade/tiers.ts';
import { RecogniserPool } from './pool/pool.ts';
import type { ProcessStatus } from './process/supervised-process.ts';
import type { SpeechEngine, VoiceProbe } from './recogniser.ts';
import { neededModels, VAD_WEIGHTS_ID } from './store/needed.ts';
import type { ModelStore } from './store/store.ts';
import { VadProcess } from './vad/vad-process.ts';

const RECOGNISER_ENTRY = fileURLToPath(new URL('./pool/recogniser-entry.js', import.meta.url));
const VOICE_FILE = 'silero_vad_v6.onnx';
/** Room for a process with all three tiers, which takes 0.9 to 1.1 GB; see docs/decisions/recogniser-processes.md. */
const PROCESS_BYTES = 1.5 * 2 ** 30;

/** Of the encoders of all processes together, where their threads are set by hand. */
const THREADS_PER_CORE_MAX = 2;
/** Of an encoder that has the cores for them. */
const THREADS_ALONE = 2;

export type EngineConfig = Pick<Config, 'models' | 'recognisers' | 'recogniserThreads' | 'recogniserMemoryMb'>;

/** What this process may use: in a container that is less than the machine has. */
const memoryBytes = (): number => {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
};

/**
 * The threads of each process's encoder; work goes to the first process that is free. A process a core, since a decoder uses
 * one. An encoder is sooner done with two threads, where there are cores for them beside the processes before it; where
 * all processes are at work, a second thread only costs. See docs/decisions/recogniser-processes.md.
 */
export const poolShape = (
  { recognisers, recogniserThreads }: Pick<Config, 'recognisers' | 'recogniserThreads'>,
  machine = { cores: availableParallelism(), bytes: memoryBytes() },
): readonly number[] => {
  const byThreads = Math.floor((THREADS_PER_CORE_MAX * machine.cores) / (recogniserThreads ?? 1));
  const byMemory = Math.floor(machine.bytes / 2 / PROCESS_BYTES);
  const processes = recognisers ?? Math.max(1, Math.min(machine.cores, byThreads, byMemory));
  const threadsOf = (nth: number) =>
    recogniserThreads ?? (THREADS_ALONE * (nth + 1) <= machine.cores ? THREADS_ALONE : 1);
  return Array.from({ length: processes }, (_, nth) => threadsOf(nth));
};

export interface EngineStatus {
  readonly tiers: readonly string[];
  readonly models: readonly string[];
  /** Of each recogniser's encoder. */
  readonly threads: readonly number[];
  readonly retries: number;
  readonly recognisers: readonly ProcessStatus[];
  readonly voice: ProcessStatus;
}

export interface EngineOptions {
  readonly config: EngineConfig;
  readonly store: ModelStore;
  /** Told of deaths and restarts of processes. Never holds audio or text. */
  readonly onEvent?: (text: string) => void;
}

export class LocalSpeechEngine implements SpeechEngine {
  readonly recogniser: RecogniserPool;
  readonly #options: EngineOptions;
  readonly #voice: VadProcess;
  readonly #threads: readonly number[];
  readonly #closing = new AbortController();
  #started: Promise<void> | undefined;

  constructor(options: EngineOptions) {
    const { config, store, onEvent } = options;
    const folders = Object.fromEntries(modelsFor(config.models).map((id) => [id, store.folderOf(id)]));
    this.#options = options;
    this.#threads = poolShape(config);
    this.#voice = new VadProcess({
      modelPath: join(store.folderOf(VAD_WEIGHTS_ID), VOICE_FILE),
      ...(onEvent && { onEvent }),
    });
    this.recogniser = new RecogniserPool({
      entry: RECOGNISER_ENTRY,
      processes: this.#threads.map((threads) => ({ folders, tiers: config.models, threads })),
      rssBytesMax: config.recogniserMemoryMb * 2 ** 20,
      ...(onEvent && { onEvent }),
    });
  }

  /** Makes the model files ready and starts the processes; once, whoever asks first. */
  ready(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  get status(): EngineStatus {
    const { processes, retries } = this.recogniser.status;
    return {
      tiers: this.#options.config.models,
      models: neededModels(this.#options.config.models),
      threads: this.#threads,
      retries,
      recognisers: processes,
      voice: this.#voice.status,
    };
  }

  openVoiceProbe(): VoiceProbe {
    return this.#voice.openProbe();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the speech engine was closed'));
    await Promise.all([this.recogniser.close(), this.#voice.close()]);
  }

  async #start(): Promise<void> {
    const { config, store } = this.#options;
    await store.ensure(neededModels(config.models), 'quick', this.#closing.signal);
    this.#closing.signal.throwIfAborted();
    this.#voice.start();
    this.recogniser.start();
    await Promise.all([this.#voice.ready(), this.recogniser.ready()]);
  }
}
