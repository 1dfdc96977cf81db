// How many recogniser processes a machine has, and how many threads each.
import { availableParallelism, totalmem } from 'node:os';
import { MAX_WHISPER } from '../cascade/tiers.ts';
import type { TierId } from '../recogniser.ts';
import type { SpeechSettings } from '../settings.ts';
import { type Catalogue, modelBytes } from '../store/catalogue.ts';

/** Room for a process with all three tiers, which takes 0.9 to 1.1 GB; see docs/decisions/recogniser-processes.md. */
export const PROCESS_BYTES = 1.5 * 2 ** 30;
/** Of a larger model: its graphs, and the working memory that grows with them. */
const LARGER_FACTOR = 2.5;

/** Of the encoders of all processes together, where their threads are set by hand. */
const THREADS_PER_CORE_MAX = 2;
/** Of an encoder that has the cores for them. */
const THREADS_ALONE = 2;

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
  { recognisers, recogniserThreads }: Pick<SpeechSettings, 'recognisers' | 'recogniserThreads'>,
  machine = { cores: availableParallelism(), bytes: memoryBytes() },
  processBytes = PROCESS_BYTES,
): readonly number[] => {
  const byThreads = Math.floor((THREADS_PER_CORE_MAX * machine.cores) / (recogniserThreads ?? 1));
  const byMemory = Math.floor(machine.bytes / 2 / processBytes);
  const processes =
    typeof recognisers === 'number' ? recognisers : Math.max(1, Math.min(machine.cores, byThreads, byMemory));
  const threadsOf = (nth: number) =>
    recogniserThreads ?? (THREADS_ALONE * (nth + 1) <= machine.cores ? THREADS_ALONE : 1);
  return Array.from({ length: processes }, (_, nth) => threadsOf(nth));
};

/** Room for a process: the usual, and what a larger Whisper takes more, in its files and at work. */
export const processBytesFor = (
  { models, maxWhisper }: { readonly models: readonly TierId[]; readonly maxWhisper: string },
  catalogue: Catalogue,
): number => {
  const bytesOf = (id: string) =>
    catalogue.filter((model) => model.id === id).reduce((sum, model) => sum + modelBytes(model), 0);
  const isUsed = models.includes('svc-1.0-max');
  return PROCESS_BYTES + (isUsed ? LARGER_FACTOR * Math.max(0, bytesOf(maxWhisper) - bytesOf(MAX_WHISPER)) : 0);
};
