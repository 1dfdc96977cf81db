// All workers that a gateway knows, with their credits and leases in total.
import type { ModelId } from '@faircopy/contract';
import { RefusedMessage, type WorkerState } from '../messages.ts';
import { KnownWorker, type Lease, WorkerTotals } from './known-worker.ts';

const WORKERS_MAX = 4_096;

export class KnownWorkers {
  readonly #workers = new Map<string, KnownWorker>();
  readonly totals = new WorkerTotals();

  get size(): number {
    return this.#workers.size;
  }

  get all(): readonly KnownWorker[] {
    return [...this.#workers.values()];
  }

  [Symbol.iterator](): Iterator<KnownWorker> {
    return this.#workers.values();
  }

  get(id: string): KnownWorker | undefined {
    return this.#workers.get(id);
  }

  add(state: WorkerState, nowMs: number): KnownWorker {
    if (this.#workers.size >= WORKERS_MAX)
      throw new RefusedMessage('too_many', `there are more than ${WORKERS_MAX} workers`);
    const worker = new KnownWorker(state, nowMs, this.totals);
    this.#workers.set(state.id, worker);
    return worker;
  }

  drop(worker: KnownWorker): void {
    worker.forget();
    this.#workers.delete(worker.state.id);
  }

  /** Whether any worker serves the tier, busy or not. */
  serve(tier: ModelId, nowMs: number): boolean {
    for (const worker of this.#workers.values()) if (worker.serves(tier, nowMs)) return true;
    return false;
  }

  /**
   * The worker with the most credits for the tier, each counted with its speed: the faster of two idle workers gets
   * more of the windows. One whose speed is unknown counts as the fastest, so that it shows what it can do.
   */
  freest(tier: ModelId, nowMs: number): KnownWorker | undefined {
    const { lending } = this.totals;
    let fastest = 0;
    for (const worker of lending) fastest = Math.max(fastest, worker.speed(tier) ?? 0);
    let best: KnownWorker | undefined;
    let most = 0;
    for (const worker of lending) {
      const free = worker.credits * (worker.speed(tier) ?? (fastest || 1));
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
