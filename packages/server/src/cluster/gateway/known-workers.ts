// All workers that a gateway knows, with their credits and leases in total.
import type { ModelId } from '@faircopy/contract';
import { RefusedMessage, type WorkerState } from '../messages.ts';
import { KnownWorker, type Lease } from './known-worker.ts';

const WORKERS_MAX = 4_096;

export class KnownWorkers {
  readonly #workers = new Map<string, KnownWorker>();

  get all(): readonly KnownWorker[] {
    return [...this.#workers.values()];
  }

  get credits(): number {
    return this.all.reduce((sum, { credits }) => sum + credits, 0);
  }

  get running(): number {
    return this.all.reduce((sum, { leases }) => sum + leases.size, 0);
  }

  /** Slots of the workers that take new windows. */
  get slots(): number {
    return this.all.reduce((sum, { state }) => sum + (state.isDraining ? 0 : state.slots), 0);
  }

  get(id: string): KnownWorker | undefined {
    return this.#workers.get(id);
  }

  add(state: WorkerState, nowMs: number): KnownWorker {
    if (this.#workers.size >= WORKERS_MAX)
      throw new RefusedMessage('too_many', `there are more than ${WORKERS_MAX} workers`);
    const worker = new KnownWorker(state, nowMs);
    this.#workers.set(state.id, worker);
    return worker;
  }

  drop(worker: KnownWorker): void {
    this.#workers.delete(worker.state.id);
  }

  serving(tier: ModelId, nowMs: number): KnownWorker[] {
    return this.all.filter((worker) => worker.serves(tier, nowMs));
  }

  /** Leases whose id occurs in a message that cannot be parsed. */
  leasesNamedIn(text: string): { readonly worker: KnownWorker; readonly lease: Lease }[] {
    return this.all.flatMap((worker) =>
      [...worker.leases.values()].filter(({ id }) => text.includes(id)).map((lease) => ({ worker, lease })),
    );
  }
}
