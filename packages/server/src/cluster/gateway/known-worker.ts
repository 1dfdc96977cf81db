// One worker as a gateway knows it: what it announced, the credits it lends, and the windows it holds for us.
import type { ModelId } from '@faircopy/contract';
import type { Recognition } from '../../speech/recogniser.ts';
import type { WorkerState } from '../messages.ts';
import { DISTRUST_MS, LEASE_MS, TRANSFER_MS } from '../timing.ts';

/** A window with a worker. */
export interface Lease {
  readonly id: string;
  readonly credit: string;
  readonly sentMs: number;
  /** The worker's connection that it was sent on. */
  readonly connection: number;
  /** The worker has listed it. */
  isConfirmed: boolean;
  readonly settle: (outcome: { readonly recognition: Recognition } | { readonly error: Error }) => void;
}

export class KnownWorker {
  state: WorkerState;
  heardMs: number;
  windows = 0;
  readonly leases = new Map<string, Lease>();
  /** Credits that may be spent. */
  #credits: string[] = [];
  /** Credits that were spent and that the worker may still list, since it has not heard of it. */
  readonly #spent = new Set<string>();
  #distrustedUntilMs = Number.NEGATIVE_INFINITY;
  #distrustMs: number = DISTRUST_MS.first;

  constructor(state: WorkerState, nowMs: number) {
    this.state = state;
    this.heardMs = nowMs;
  }

  get credits(): number {
    return this.#credits.length;
  }

  serves(tier: ModelId, nowMs: number): boolean {
    return !this.state.isDraining && nowMs >= this.#distrustedUntilMs && this.state.tiers.includes(tier);
  }

  /**
   * Takes over what the worker says. Returns the leases that it has lost, and the ids that it should forget: credits that
   * others wait for, windows that nobody here waits for, and credits of windows that never reached it.
   */
  hear(state: WorkerState, nowMs: number): { readonly lost: readonly Lease[]; readonly unwanted: readonly string[] } {
    this.state = state;
    this.heardMs = nowMs;
    const listed = new Set(state.leases);
    const lost: Lease[] = [];
    for (const lease of this.leases.values()) {
      if (listed.has(lease.id)) lease.isConfirmed = true;
      else if (lease.isConfirmed || lease.connection !== state.connections) lost.push(lease);
    }
    const unwanted = state.leases.filter((id) => !this.leases.has(id));
    const offered = new Set(state.credits);
    for (const id of this.#spent) if (!offered.has(id)) this.#spent.delete(id);
    const onTheWay = new Set([...this.leases.values()].map(({ credit }) => credit));
    // A spent credit that is still listed has a window on its way, or lost its window there.
    unwanted.push(...[...this.#spent].filter((id) => !onTheWay.has(id)));
    const unspent = state.credits.filter((id) => !this.#spent.has(id));
    unwanted.push(...unspent.filter((id) => state.recalled.includes(id)));
    this.#credits = unspent.filter((id) => !state.recalled.includes(id));
    return { lost, unwanted };
  }

  /** A credit, which is spent with this. */
  spend(): string | undefined {
    const credit = this.#credits.shift();
    if (credit !== undefined) this.#spent.add(credit);
    return credit;
  }

  /** Windows that must be given up: all when the worker is silent, else those that never reached it. */
  overdue(nowMs: number): readonly Lease[] {
    const all = [...this.leases.values()];
    if (this.isSilent(nowMs)) return all;
    return all.filter(({ isConfirmed, sentMs }) => !isConfirmed && nowMs - sentMs > TRANSFER_MS);
  }

  isSilent(nowMs: number): boolean {
    return nowMs - this.heardMs > LEASE_MS;
  }

  dropCredits(): void {
    this.#credits = [];
  }

  /** It answered nonsense: no windows for a while, and longer each time. */
  distrust(nowMs: number): void {
    this.#distrustedUntilMs = nowMs + this.#distrustMs;
    this.#distrustMs = Math.min(2 * this.#distrustMs, DISTRUST_MS.longest);
  }

  trust(): void {
    this.#distrustMs = DISTRUST_MS.first;
  }

  isDistrusted(nowMs: number): boolean {
    return nowMs < this.#distrustedUntilMs;
  }
}
