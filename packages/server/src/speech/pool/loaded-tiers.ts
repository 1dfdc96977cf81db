// Frees memory: replaces a process with unused tiers by one that loads them on demand.
import type { SupervisedProcess } from '../process/supervised-process.ts';
import type { TierId } from '../recogniser.ts';
import type { RecogniserInit } from './serve-recogniser.ts';

/** Checks per unload period. */
const CHECKS = 4;

export class LoadedTiers {
  readonly #unloadAfterMs: number;
  readonly #inits: readonly RecogniserInit[];
  readonly #processes: readonly SupervisedProcess[];
  /** Tiers in the memory of each process. Only ending a process returns its memory to the system. */
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

  /** Called when a window of the tier starts and ends. */
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
