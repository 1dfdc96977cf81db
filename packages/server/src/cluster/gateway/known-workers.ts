// All workers that a gateway knows, with totals of their credits and leases.
import type { ModelId } from '@faircopy/contract';
import { RefusedMessage, type WorkerState } from '../messages.ts';
import { KnownWorker, type Lease, WorkerTotals } from './known-worker.ts';

const WORKERS_MAX = 4_096;

export class KnownWorkers {
  readonly #workers = new Map<string, KnownWorker>();
  /** Cached list; undefined after a worker was added or dropped. */
  #all: readonly KnownWorker[] | undefined;
  readonly totals = new WorkerTotals();

  get size(): number {
    return this.#workers.size;
  }

  get all(): readonly KnownWorker[] {
    this.#all ??= [...this.#workers.values()];
    return this.#all;
  }

  get(id: string): KnownWorker | undefined {
    return this.#workers.get(id);
  }

  add(state: WorkerState, nowMs: number): KnownWorker {
    if (this.#workers.size >= WORKERS_MAX)
      throw new RefusedMessage('too_many', `there are more than ${WORKERS_MAX} workers`);
    const worker = new KnownWorker(state, nowMs, this.totals);
    this.#workers.set(state.id, worker);
    this.#all = undefined;
    return worker;
  }

  drop(worker: KnownWorker): void {
    worker.forget();
    this.totals.deadlines.forget(worker);
    this.#workers.delete(worker.state.id);
    this.#all = undefined;
  }

  /** Workers that are silent or have overdue windows. */
  overdue(nowMs: number): readonly KnownWorker[] {
    return this.totals.deadlines.overdue(nowMs);
  }

  /** Whether any worker serves the tier, busy or not. */
  serve(tier: ModelId, nowMs: number): boolean {
    for (const worker of this.#workers.values()) if (worker.serves(tier, nowMs)) return true;
    return false;
  }

  /**
   * The worker with the most credits for the tier, weighted by speed, so that the faster of two idle workers gets more
   * windows. An unknown speed counts as the fastest, so that it gets measured.
   */
  freest(tier: ModelId, nowMs: number): KnownWorker | undefined {
    const { lending } = this.totals;
    let fastest = 0;
    let areKnown = true;
    let best: KnownWorker | undefined;
    let most = 0;
    for (const worker of lending) {
      const speed = worker.speed(tier);
      if (speed === undefined) {
        areKnown = false;
        continue;
      }
      if (speed > fastest) fastest = speed;
      const free = worker.credits * speed;
      if (free > most && worker.serves(tier, nowMs)) [best, most] = [worker, free];
    }
    return areKnown ? best : this.#freestOfAll(tier, nowMs, fastest || 1);
  }

  /** Like `freest`, when some workers have not recognised a window of the tier yet. */
  #freestOfAll(tier: ModelId, nowMs: number, fastest: number): KnownWorker | undefined {
    let best: KnownWorker | undefined;
    let most = 0;
    for (const worker of this.totals.lending) {
      const free = worker.credits * (worker.speed(tier) ?? fastest);
      if (free > most && worker.serves(tier, nowMs)) [best, most] = [worker, free];
    }
    return best;
  }

  /** Leases whose id occurs in a message that cannot be parsed. */
  leasesNamedIn(text: string): { readonly worker: KnownWorker; readonly lease: Lease }[] {
    return this.all.flatMap((worker) =>
      [...worker.leases.values()].filter(({ id }) => text.includes(id)).map((lease) => ({ worker, lease })),
    );
  }
}
