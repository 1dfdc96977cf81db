// The speech engine of one machine: makes the model files ready, then runs the voice activity process and the recognisers.
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/config.ts';
import { MAX_WHISPER, weightsFor } from './cascade/tiers.ts';
import type { OnSpeechEvent } from './engine-events.ts';
import { RecogniserPool } from './pool/pool.ts';
import type { ProcessStatus } from './process/supervised-process.ts';
import type { SpeechEngine, VoiceProbe } from './recogniser.ts';
import { type Catalogue, modelBytes } from './store/catalogue.ts';
import { neededModels, VAD_WEIGHTS_ID } from './store/needed.ts';
import type { ModelStore } from './store/store.ts';
import { VadProcess } from './vad/vad-process.ts';

const RECOGNISER_ENTRY = fileURLToPath(new URL('./pool/recogniser-entry.js', import.meta.url));
const SILERO_FILE = 'silero_vad_v6.onnx';
/** Room for a process with all three tiers, which takes 0.9 to 1.1 GB; see docs/decisions/recogniser-processes.md. */
const PROCESS_BYTES = 1.5 * 2 ** 30;
/** Of a larger model: its graphs, and the working memory that grows with them. */
const LARGER_FACTOR = 2.5;
/** With a larger model, a process may grow to this many times its room before it is replaced, whatever the setting. */
const RSS_FACTOR_MIN = 1.5;

/** Of the encoders of all processes together, where their threads are set by hand. */
const THREADS_PER_CORE_MAX = 2;
/** Of an encoder that has the cores for them. */
const THREADS_ALONE = 2;

type EngineConfig = Pick<Config, 'models' | 'maxWhisper' | 'recognisers' | 'recogniserThreads' | 'recogniserMemoryMb'>;

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
  processBytes = PROCESS_BYTES,
): readonly number[] => {
  const byThreads = Math.floor((THREADS_PER_CORE_MAX * machine.cores) / (recogniserThreads ?? 1));
  const byMemory = Math.floor(machine.bytes / 2 / processBytes);
  const processes = recognisers ?? Math.max(1, Math.min(machine.cores, byThreads, byMemory));
  const threadsOf = (nth: number) =>
    recogniserThreads ?? (THREADS_ALONE * (nth + 1) <= machine.cores ? THREADS_ALONE : 1);
  return Array.from({ length: processes }, (_, nth) => threadsOf(nth));
};

/** Room for a process: the usual, and what a larger Whisper takes more, in its files and at work. */
export const processBytesFor = (
  { models, maxWhisper }: Pick<Config, 'models' | 'maxWhisper'>,
  catalogue: Catalogue,
) => {
  const bytesOf = (id: string) =>
    catalogue.filter((model) => model.id === id).reduce((sum, model) => sum + modelBytes(model), 0);
  const isUsed = models.includes('svc-1.0-max');
  return PROCESS_BYTES + (isUsed ? LARGER_FACTOR * Math.max(0, bytesOf(maxWhisper) - bytesOf(MAX_WHISPER)) : 0);
};

interface EngineOptions {
  readonly config: EngineConfig;
  readonly store: ModelStore;
  /** Told when a process ends and when a window is tried again. */
  readonly onEvent?: OnSpeechEvent;
}

export class LocalSpeechEngine implements SpeechEngine {
  readonly recogniser: RecogniserPool;
  readonly #options: EngineOptions;
  readonly #vad: VadProcess;
  readonly #closing = new AbortController();
  #started: Promise<void> | undefined;

  constructor(options: EngineOptions) {
    const { config, store, onEvent } = options;
    const { models: tiers, maxWhisper } = config;
    const folders = Object.fromEntries(weightsFor(tiers, maxWhisper).map((id) => [id, store.folderOf(id)]));
    const processBytes = processBytesFor(config, store.catalogue);
    const isLarger = processBytes > PROCESS_BYTES;
    this.#options = options;
    this.#vad = new VadProcess({
      modelPath: join(store.folderOf(VAD_WEIGHTS_ID), SILERO_FILE),
      ...(onEvent && { onEvent }),
    });
    this.recogniser = new RecogniserPool({
      entry: RECOGNISER_ENTRY,
      processes: poolShape(config, undefined, processBytes).map((threads) => ({ folders, tiers, threads, maxWhisper })),
      rssBytesMax: Math.max(config.recogniserMemoryMb * 2 ** 20, isLarger ? RSS_FACTOR_MIN * processBytes : 0),
      ...(onEvent && { onEvent }),
    });
  }

  /** Makes the model files ready and starts the processes; once, however often it is called. */
  ready(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** The recogniser processes, for operators. */
  get processes(): readonly ProcessStatus[] {
    return this.recogniser.processes;
  }

  openVoiceProbe(): VoiceProbe {
    return this.#vad.openProbe();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the speech engine was closed'));
    await Promise.all([this.recogniser.close(), this.#vad.close()]);
  }

  async #start(): Promise<void> {
    const { config, store } = this.#options;
    await store.ensure(neededModels(config.models, config.maxWhisper), 'quick', this.#closing.signal);
    this.#closing.signal.throwIfAborted();
    this.#vad.start();
    this.recogniser.start();
    await Promise.all([this.#vad.ready(), this.recogniser.ready()]);
  }
}
