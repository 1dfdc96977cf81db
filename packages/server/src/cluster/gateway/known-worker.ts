// One worker as a gateway knows it: its announced state, its credits, and the windows it holds for the gateway.
import type { ModelId } from '@faircopy/contract';
import type { Recognition } from '../../speech/recogniser.ts';
import type { WorkerState } from '../messages.ts';
import { workerSubject } from '../subjects.ts';
import { DISTRUST_MS, silenceMax, TRANSFER_MS, WORKER_SILENT_MS } from '../timing.ts';
import { Deadlines, type Watched } from './deadlines.ts';

/** A window held by a worker. */
export interface Lease {
  readonly id: string;
  readonly credit: string;
  readonly sentMs: number;
  /** The worker's count of NATS connections when the window was sent. */
  readonly connection: number;
  /** Whether the worker has listed it. */
  isConfirmed: boolean;
  readonly finish: (outcome: { readonly recognition: Recognition } | { readonly error: Error }) => void;
}

const NO_LEASES: readonly Lease[] = [];
/** A worker that cannot recognise this many windows in a row gets none for a while. */
const UNAVAILABLE_MAX = 2;

/** Sums over all workers, updated with every change because there may be thousands of workers. */
export class WorkerTotals {
  /** Slots of the workers that take new windows. */
  slots = 0;
  credits = 0;
  running = 0;
  /** Workers of older versions, which expect frequent heartbeats. */
  older = 0;
  /** Number of workers added so far. */
  known = 0;
  /** Times at which a worker may count as silent, or a window as overdue. */
  readonly deadlines = new Deadlines<KnownWorker>();
  readonly lending = new Set<KnownWorker>();
  readonly #free = new Map<ModelId, number>();

  /** Credits that a window of the tier can spend. */
  free(tier: ModelId): number {
    return this.#free.get(tier) ?? 0;
  }

  /** Adds or subtracts a worker's slots and credits. */
  count(worker: KnownWorker, sign: 1 | -1): void {
    const { state, credits } = worker;
    if (!state.isDraining) this.slots += sign * state.slots;
    if (state.nextMs === undefined) this.older += sign;
    this.countCredits(worker, sign * credits);
  }

  countCredits(worker: KnownWorker, change: number): void {
    this.credits += change;
    if (change !== 0) for (const tier of worker.state.tiers) this.#free.set(tier, this.free(tier) + change);
    if (change > 0) this.lending.add(worker);
    else if (worker.credits === 0) this.lending.delete(worker);
  }
}

export class KnownWorker implements Watched {
  readonly nth: number;
  checkAtMs = Number.POSITIVE_INFINITY;
  readonly #totals: WorkerTotals;
  /** For messages to the worker. */
  readonly subject: string;
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
  /** Windows in a row that its recognisers were unavailable for. */
  #unavailable = 0;

  constructor(state: WorkerState, nowMs: number, totals: WorkerTotals) {
    this.#totals = totals;
    this.nth = totals.known++;
    this.subject = workerSubject(state.id);
    this.state = state;
    this.lastSeenMs = nowMs;
    totals.count(this, 1);
    totals.deadlines.schedule(this, this.#silentMs);
  }

  get credits(): number {
    return this.#credits.length;
  }

  /** Undefined until it has recognised a window of the tier. */
  speed(tier: ModelId): number | undefined {
    return this.state.speeds?.[tier];
  }

  serves(tier: ModelId, nowMs: number): boolean {
    return !this.state.isDraining && nowMs >= this.#distrustedUntilMs && this.state.tiers.includes(tier);
  }

  /**
   * Applies the worker's state. Returns the leases that it lost, and the ids that it should release: recalled credits,
   * windows that are no longer wanted, and credits of windows that never arrived.
   */
  update(state: WorkerState, nowMs: number): { readonly lost: readonly Lease[]; readonly unwanted: readonly string[] } {
    this.forget();
    this.state = state;
    this.lastSeenMs = nowMs;
    // Most states have no leases or no spent credits.
    const lost = this.leases.size > 0 ? this.#confirm(state) : NO_LEASES;
    const unwanted = state.leases.length > 0 ? state.leases.filter((id) => !this.leases.has(id)) : [];
    if (this.#spent.size > 0) unwanted.push(...this.#undelivered(state));
    const usable = !state.isDraining && !this.isDistrusted(nowMs);
    if (this.#spent.size === 0 && state.recalled.length === 0) this.#credits = usable ? state.credits.slice() : [];
    else
      for (const id of state.credits) {
        if (this.#spent.has(id)) continue;
        if (state.recalled.includes(id)) unwanted.push(id);
        else if (usable) this.#credits.push(id);
      }
    this.#totals.count(this, 1);
    this.#totals.deadlines.schedule(this, this.#silentMs);
    return { lost, unwanted };
  }

  /** Marks the listed leases; returns those no longer listed, or sent over an earlier connection and never listed. */
  #confirm({ leases, connections }: WorkerState): readonly Lease[] {
    const listed = new Set(leases);
    let lost: Lease[] | undefined;
    for (const lease of this.leases.values()) {
      if (listed.has(lease.id)) lease.isConfirmed = true;
      else if (lease.isConfirmed || lease.connection !== connections) {
        lost ??= [];
        lost.push(lease);
      }
    }
    return lost ?? NO_LEASES;
  }

  /** The window of a spent credit that is still listed is in transit or lost; returns the credits of lost windows. */
  #undelivered({ credits }: WorkerState): string[] {
    const offered = new Set(credits);
    for (const id of this.#spent) if (!offered.has(id)) this.#spent.delete(id);
    if (this.#spent.size === 0) return [];
    const onTheWay = new Set<string>();
    for (const { credit } of this.leases.values()) onTheWay.add(credit);
    return [...this.#spent].filter((id) => !onTheWay.has(id));
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
        if (this.leases.delete(lease.id)) this.#totals.running -= 1;
        signal.removeEventListener('abort', abort);
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.recognition);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#totals.running += 1;
      this.#totals.deadlines.schedule(this, lease.sentMs + TRANSFER_MS);
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
    if (credit === undefined) return undefined;
    this.#spent.add(credit);
    this.#totals.countCredits(this, -1);
    return credit;
  }

  /** Lost windows: all when the worker is silent, otherwise those that never arrived. */
  overdue(nowMs: number): readonly Lease[] {
    if (this.leases.size === 0) return NO_LEASES;
    if (this.isSilent(nowMs)) return [...this.leases.values()];
    let overdue: Lease[] | undefined;
    for (const lease of this.leases.values()) {
      if (lease.isConfirmed || nowMs <= lease.sentMs + TRANSFER_MS) continue;
      overdue ??= [];
      overdue.push(lease);
    }
    return overdue ?? NO_LEASES;
  }

  isSilent(nowMs: number): boolean {
    return nowMs > this.#silentMs;
  }

  /** Before this time, the worker cannot count as silent, nor any of its windows as overdue. */
  get dueMs(): number {
    let dueMs = this.#silentMs;
    for (const { isConfirmed, sentMs } of this.leases.values())
      if (!isConfirmed) dueMs = Math.min(dueMs, sentMs + TRANSFER_MS);
    return dueMs;
  }

  get #silentMs(): number {
    return this.lastSeenMs + silenceMax(this.state.nextMs, WORKER_SILENT_MS);
  }

  dropCredits(): void {
    const dropped = this.#credits.length;
    this.#credits = [];
    if (dropped > 0) this.#totals.countCredits(this, -dropped);
  }

  /** Removes its slots and credits from the totals. */
  forget(): void {
    this.dropCredits();
    this.#totals.count(this, -1);
  }

  /** After an invalid answer or several failures: no windows for a while, longer each time. */
  distrust(nowMs: number): void {
    this.dropCredits();
    this.#distrustedUntilMs = nowMs + this.#distrustMs;
    this.#distrustMs = Math.min(2 * this.#distrustMs, DISTRUST_MS.longest);
  }

  /** One window may break its recogniser. A second one in a row, and the worker would take and lose all that wait. */
  wasUnavailable(nowMs: number): void {
    this.#unavailable += 1;
    // Windows that fail together count as one reason for distrust.
    if (this.#unavailable >= UNAVAILABLE_MAX && !this.isDistrusted(nowMs)) this.distrust(nowMs);
  }

  trust(): void {
    this.#unavailable = 0;
    this.#distrustMs = DISTRUST_MS.first;
  }

  isDistrusted(nowMs: number): boolean {
    return nowMs < this.#distrustedUntilMs;
  }
}
