// One worker as a gateway knows it: its announced state, its credits, and the windows it holds for us.
import type { ModelId } from '@faircopy/contract';
import type { Recognition } from '../../speech/recogniser.ts';
import type { WorkerState } from '../messages.ts';
import { DISTRUST_MS, LEASE_MS, TRANSFER_MS } from '../timing.ts';

/** A window held by a worker. */
export interface Lease {
  readonly id: string;
  readonly credit: string;
  readonly sentMs: number;
  /** The worker's NATS connection when it was sent. */
  readonly connection: number;
  /** Whether the worker has listed it. */
  isConfirmed: boolean;
  readonly finish: (outcome: { readonly recognition: Recognition } | { readonly error: Error }) => void;
}

export class KnownWorker {
  state: WorkerState;
  lastSeenMs: number;
  windows = 0;
  readonly leases = new Map<string, Lease>();
  /** Credits that can be spent. */
  #credits: string[] = [];
  /** Spent credits that the worker may still list, because it has not received the window yet. */
  readonly #spent = new Set<string>();
  #distrustedUntilMs = Number.NEGATIVE_INFINITY;
  #distrustMs: number = DISTRUST_MS.first;

  constructor(state: WorkerState, nowMs: number) {
    this.state = state;
    this.lastSeenMs = nowMs;
  }

  get credits(): number {
    return this.#credits.length;
  }

  serves(tier: ModelId, nowMs: number): boolean {
    return !this.state.isDraining && nowMs >= this.#distrustedUntilMs && this.state.tiers.includes(tier);
  }

  /**
   * Updates from the worker's state. Returns the leases that it lost, and the ids that it should release: credits that
   * others wait for, windows that nobody waits for, and credits of windows that never arrived.
   */
  update(state: WorkerState, nowMs: number): { readonly lost: readonly Lease[]; readonly unwanted: readonly string[] } {
    this.state = state;
    this.lastSeenMs = nowMs;
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
    // The window of a spent credit that is still listed is in transit, or was lost.
    unwanted.push(...[...this.#spent].filter((id) => !onTheWay.has(id)));
    const unspent = state.credits.filter((id) => !this.#spent.has(id));
    unwanted.push(...unspent.filter((id) => state.recalled.includes(id)));
    this.#credits = unspent.filter((id) => !state.recalled.includes(id));
    return { lost, unwanted };
  }

  /** Resolves with the answer; rejects when the window is lost, or when the signal aborts, which calls `onAbort`. */
  openLease(
    lease: Pick<Lease, 'id' | 'credit' | 'sentMs'>,
    signal: AbortSignal,
    onAbort: () => void,
  ): Promise<Recognition> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        onAbort();
        finish({ error: signal.reason as Error });
      };
      const finish: Lease['finish'] = (outcome) => {
        this.leases.delete(lease.id);
        signal.removeEventListener('abort', abort);
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.recognition);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.leases.set(lease.id, {
        id: lease.id,
        credit: lease.credit,
        sentMs: lease.sentMs,
        connection: this.state.connections,
        isConfirmed: false,
        finish,
      });
    });
  }

  /** Spends a credit and returns it; undefined when there is none. */
  spend(): string | undefined {
    const credit = this.#credits.shift();
    if (credit !== undefined) this.#spent.add(credit);
    return credit;
  }

  /** Lost windows: all when the worker is silent, otherwise those that never arrived. */
  overdue(nowMs: number): readonly Lease[] {
    const all = [...this.leases.values()];
    if (this.isSilent(nowMs)) return all;
    return all.filter(({ isConfirmed, sentMs }) => !isConfirmed && nowMs - sentMs > TRANSFER_MS);
  }

  isSilent(nowMs: number): boolean {
    return nowMs - this.lastSeenMs > LEASE_MS;
  }

  dropCredits(): void {
    this.#credits = [];
  }

  /** After an invalid answer: no windows for a while, longer each time. */
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
