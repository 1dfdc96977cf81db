// Gives memory back: a process with tiers that nobody used for a while is replaced by one that loads them when asked.
import type { SupervisedProcess } from '../process/supervised-process.ts';
import type { TierId } from '../recogniser.ts';
import type { RecogniserInit } from './serve-recogniser.ts';

/** How often it is looked, in parts of the time that a tier may lie unused. */
const CHECKS = 4;

export class LoadedTiers {
  readonly #unloadAfterMs: number;
  readonly #inits: readonly RecogniserInit[];
  readonly #processes: readonly SupervisedProcess[];
  /** What each process has in memory. Freed memory stays with a process: only its end gives it back to the machine. */
  readonly #loaded = new Map<SupervisedProcess, Set<TierId>>();
  readonly #usedMs = new Map<TierId, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(unloadAfterMs: number, inits: readonly RecogniserInit[], processes: readonly SupervisedProcess[]) {
    this.#unloadAfterMs = unloadAfterMs;
    this.#inits = inits;
    this.#processes = processes;
    for (const [index, process] of processes.entries()) this.#loaded.set(process, new Set(inits[index]!.tiers));
  }

  start(): void {
    for (const { tiers } of this.#inits) for (const tier of tiers) this.#usedMs.set(tier, performance.now());
    this.#timer = setInterval(() => this.#check(), Math.ceil(this.#unloadAfterMs / CHECKS));
  }

  /** The process works on a window of the tier, or has done so. */
  use(process: SupervisedProcess, tier: TierId): void {
    this.#usedMs.set(tier, performance.now());
    this.#loaded.get(process)?.add(tier);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const nowMs = performance.now();
    const isWanted = (tier: TierId) => nowMs - (this.#usedMs.get(tier) ?? 0) < this.#unloadAfterMs;
    for (const [index, process] of this.#processes.entries()) {
      const loaded = [...(this.#loaded.get(process) ?? [])];
      if (process.state !== 'idle' || loaded.every(isWanted)) continue;
      const kept = loaded.filter(isWanted);
      this.#loaded.set(process, new Set(kept));
      process.restart('unloaded', { ...this.#inits[index]!, loaded: kept });
    }
  }
}
