// Decides how many recogniser processes a machine runs, and with how many threads each.
import { availableParallelism, totalmem } from 'node:os';
import { TIERS, type TierTable, weightsFor } from '../cascade/tiers.ts';
import type { TierId } from '../recogniser.ts';
import type { SpeechSettings } from '../settings.ts';
import type { Catalogue } from '../store/catalogue.ts';

/**
 * Planned memory for a process with all three tiers, which uses 0.9 to 1.1 GB; see
 * docs/decisions/recogniser-processes.md.
 */
export const PROCESS_BYTES = 1.5 * 2 ** 30;
/** Memory per byte of a larger model: its graphs, and the working memory that grows with them. */
const LARGER_FACTOR = 2.5;

/** Limit for the encoders of all processes together when their threads are configured. */
const THREADS_PER_CORE_MAX = 2;
/** Encoder threads of a process while there are enough cores. */
const THREADS_ALONE = 2;

/** Memory available to this process: in a container, it may be less than the machine's. */
const memoryBytes = (): number => {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
};

/**
 * Encoder threads of each process. One process per core, because a decoder uses one core. A second encoder thread makes
 * a process faster while cores are free, so the first processes have two; with all processes busy it only costs CPU.
 * See docs/decisions/recogniser-processes.md.
 */
export const poolShape = (
  {
    recognisers,
    recogniserThreads,
    execution,
  }: Pick<SpeechSettings, 'recognisers' | 'recogniserThreads' | 'execution'>,
  machine = { cores: availableParallelism(), bytes: memoryBytes() },
  processBytes = PROCESS_BYTES,
): readonly number[] => {
  // Several processes would only take turns on one device.
  const byDevice = execution === 'cpu' ? Number.POSITIVE_INFINITY : 1;
  const byThreads = Math.floor((THREADS_PER_CORE_MAX * machine.cores) / (recogniserThreads ?? 1));
  const byMemory = Math.floor(machine.bytes / 2 / processBytes);
  const processes =
    typeof recognisers === 'number' ? recognisers : Math.max(1, Math.min(machine.cores, byThreads, byMemory, byDevice));
  const threadsOf = (nth: number) =>
    recogniserThreads ?? (THREADS_ALONE * (nth + 1) <= machine.cores ? THREADS_ALONE : 1);
  return Array.from({ length: processes }, (_, nth) => threadsOf(nth));
};

/** Bytes per weight in a published file: 8-bit exports are named as such, and ggml files have 16 bits. */
const bytesPerWeight = (fileName: string): number => {
  if (/[_.](quantized|int8|uint8)\.|\.ort$/.test(fileName)) return 1;
  return /_fp16\.|\.bin$/.test(fileName) ? 2 : 4;
};

/** Size of a model's compiled graphs, which have one byte per weight whatever the published precision. */
const compiledBytes = (catalogue: Catalogue, id: string): number =>
  catalogue
    .find((model) => model.id === id)
    ?.files.reduce((sum, { name, bytes }) => sum + bytes / bytesPerWeight(name), 0) ?? 0;

/** Memory to plan for a process: the usual amount, plus the additional memory of larger models. */
export const processBytesFor = (tiers: readonly TierId[], table: TierTable, catalogue: Catalogue): number => {
  const bytesOf = (of: TierTable) => weightsFor(tiers, of).reduce((sum, id) => sum + compiledBytes(catalogue, id), 0);
  return PROCESS_BYTES + LARGER_FACTOR * Math.max(0, bytesOf(table) - bytesOf(TIERS));
};
