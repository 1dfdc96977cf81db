// How many recogniser processes a machine has, and how many threads each.
import { availableParallelism, totalmem } from 'node:os';
import type { Config } from '../../platform/config.ts';

/** Room for a process with all three tiers, which takes 0.9 to 1.1 GB; see docs/decisions/recogniser-processes.md. */
const PROCESS_BYTES = 1.5 * 2 ** 30;

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
  { recognisers, recogniserThreads }: Pick<Config, 'recognisers' | 'recogniserThreads'>,
  machine = { cores: availableParallelism(), bytes: memoryBytes() },
): readonly number[] => {
  const byThreads = Math.floor((THREADS_PER_CORE_MAX * machine.cores) / (recogniserThreads ?? 1));
  const byMemory = Math.floor(machine.bytes / 2 / PROCESS_BYTES);
  const processes =
    typeof recognisers === 'number' ? recognisers : Math.max(1, Math.min(machine.cores, byThreads, byMemory));
  const threadsOf = (nth: number) =>
    recogniserThreads ?? (THREADS_ALONE * (nth + 1) <= machine.cores ? THREADS_ALONE : 1);
  return Array.from({ length: processes }, (_, nth) => threadsOf(nth));
};
