// Tracks a worker's slots (free, lent to a gateway as a credit, or busy) and decides which gateway gets the next one.
import { createHash } from 'node:crypto';
import type { ModelId } from '@faircopy/contract';
import { newId, type Want } from '../messages.ts';
import { CREDIT_VOID_AFTER_MS, PROBATION_MS, RECALL_AFTER_MS } from '../timing.ts';
import { type Borrower, isProven, missing } from './borrower.ts';

interface Credit {
  readonly id: string;
  readonly gateway: string;
  readonly lentMs: number;
  /** When it was recalled; null if it was not. */
  recalledMs: number | null;
}

interface Lease {
  readonly id: string;
  readonly gateway: string;
  readonly begunMs: number;
}

/** Weight of the last window in the average window time. */
const LEARNING_RATE = 0.1;
const FIRST_WINDOW_MS = 500;
/**
 * Idle slots go to few gateways, so that windows between the same two parties replace heartbeats; but to enough that
 * each gateway finds idle slots on at least HOME_WORKERS_MIN workers.
 */
const HOME_GATEWAYS_MIN = 2;
const HOME_WORKERS_MIN = 16;

const NONE: ReadonlySet<string> = new Set();

export class CreditBook {
  readonly #workerId: string;
  readonly #tiers: readonly ModelId[];
  readonly #slots: number;
  readonly #newId: () => string;
  readonly #borrowers = new Map<string, Borrower>();
  readonly #credits = new Map<string, Credit>();
  readonly #leases = new Map<string, Lease>();
  /** Waiting windows of all gateways. */
  #wantedInAll = 0;
  /** Gateways that get idle slots first; undefined after a change. */
  #homes: readonly [gateway: string, Borrower][] | undefined;
  #workers = 0;
  #virtualMs = 0;
  #windowMs = FIRST_WINDOW_MS;
  #probationMs = -Infinity;
  #isDraining = false;

  constructor(options: {
    readonly workerId: string;
    readonly tiers: readonly ModelId[];
    readonly slots: number;
    readonly newId?: () => string;
  }) {
    this.#workerId = options.workerId;
    this.#tiers = options.tiers;
    this.#slots = options.slots;
    this.#newId = options.newId ?? newId;
  }

  get busy(): number {
    return this.#leases.size;
  }

  get lent(): number {
    return this.#credits.size;
  }

  get gateways(): readonly string[] {
    return [...this.#borrowers.keys()];
  }

  /** A gateway that may be dropped for another one: it let a credit become void and never spent any. */
  get idler(): string | undefined {
    for (const [gateway, { standing }] of this.#borrowers) if (standing === 'idler') return gateway;
    return undefined;
  }

  /** The credits and leases of a gateway. */
  of(gateway: string): { credits: string[]; recalled: string[]; leases: string[] } {
    const held: { credits: string[]; recalled: string[]; leases: string[] } = { credits: [], recalled: [], leases: [] };
    for (const credit of this.#credits.values()) {
      if (credit.gateway !== gateway) continue;
      held.credits.push(credit.id);
      if (credit.recalledMs !== null) held.recalled.push(credit.id);
    }
    for (const lease of this.#leases.values()) if (lease.gateway === gateway) held.leases.push(lease.id);
    return held;
  }

  /** Number of workers in the cluster. */
  set workers(count: number) {
    if (count !== this.#workers) this.#homes = undefined;
    this.#workers = count;
  }

  /** Updates what a gateway waits for. */
  update(gateway: string, want: Want): void {
    const borrower = this.#borrowers.get(gateway);
    const wanted = this.#wanted(want);
    this.#wantedInAll += wanted - (borrower?.wanted ?? 0);
    if (borrower) {
      // An idle gateway accumulates no claim.
      if (borrower.running === 0 && borrower.wanted === 0)
        borrower.finishMs = Math.max(borrower.finishMs, this.#virtualMs);
      borrower.wanted = wanted;
    } else {
      this.#homes = undefined;
      this.#borrowers.set(gateway, {
        wanted,
        finishMs: this.#virtualMs,
        rank: createHash('sha256').update(`${this.#workerId} ${gateway}`).digest('base64'),
        standing: 'new',
        lent: 0,
        running: this.of(gateway).leases.length,
      });
    }
  }

  /** Removes a gateway and its credits; returns the ids of its running windows. */
  forget(gateway: string): readonly string[] {
    this.#wantedInAll -= this.#borrowers.get(gateway)?.wanted ?? 0;
    this.#borrowers.delete(gateway);
    this.#homes = undefined;
    for (const credit of [...this.#credits.values()]) if (credit.gateway === gateway) this.#take(credit);
    return this.of(gateway).leases;
  }

  /** Spends a credit for a window; false when the gateway has no such credit. */
  spend(credit: string, id: string, gateway: string, nowMs: number): boolean {
    const lent = this.#credits.get(credit);
    if (lent?.gateway !== gateway || this.#leases.has(id)) return false;
    this.#take(lent);
    this.#leases.set(id, { id, gateway, begunMs: nowMs });
    const borrower = this.#borrowers.get(gateway);
    if (borrower) {
      this.#virtualMs = Math.max(this.#virtualMs, borrower.finishMs);
      borrower.finishMs += this.#windowMs;
      borrower.running += 1;
      if (borrower.standing !== 'proven') this.#homes = undefined;
      borrower.standing = 'proven';
    }
    return true;
  }

  /** Frees the window's slot. */
  end(id: string, nowMs: number): void {
    const lease = this.#leases.get(id);
    if (!lease) return;
    this.#leases.delete(id);
    const tookMs = nowMs - lease.begunMs;
    const borrower = this.#borrowers.get(lease.gateway);
    // Replace the expected time by the actual one.
    if (borrower) {
      borrower.finishMs += tookMs - this.#windowMs;
      borrower.running -= 1;
    }
    this.#windowMs += LEARNING_RATE * (tookMs - this.#windowMs);
  }

  /** Removes released credits; returns the ids of running windows to stop. */
  release(ids: readonly string[], gateway: string): readonly string[] {
    for (const id of ids) {
      const credit = this.#credits.get(id);
      if (credit?.gateway === gateway) this.#take(credit);
    }
    return ids.filter((id) => this.#leases.get(id)?.gateway === gateway);
  }

  /** Stops lending. */
  drain(): void {
    this.#isDraining = true;
    for (const credit of [...this.#credits.values()]) this.#take(credit);
  }

  /**
   * Lends every free slot: to the waiting gateway with the least service so far; if none waits, to the home gateway
   * with the fewest credits, so that its next window starts without a request. Gateways that have spent credits come
   * first. Recalls unused credits while another gateway waits. Returns the gateways whose state changed.
   */
  lend(nowMs: number): ReadonlySet<string> {
    const areAllInUse = this.#credits.size === 0 && this.#leases.size >= this.#slots;
    if (this.#isDraining || this.#borrowers.size === 0 || areAllInUse) return NONE;
    const changed = new Set<string>();
    for (const credit of this.#credits.values())
      if (credit.recalledMs !== null && nowMs - credit.recalledMs >= CREDIT_VOID_AFTER_MS) {
        this.#void(credit, nowMs);
        changed.add(credit.gateway);
      }
    while (this.#credits.size + this.#leases.size < this.#slots) {
      const gateway = this.#next(nowMs);
      const id = this.#newId();
      this.#credits.set(id, { id, gateway, lentMs: nowMs, recalledMs: null });
      this.#borrowers.get(gateway)!.lent += 1;
      changed.add(gateway);
    }
    let wanted = this.#missingInAll;
    for (const credit of this.#credits.values()) {
      if (wanted <= 0) break;
      if (credit.recalledMs !== null) wanted -= 1;
      if (credit.recalledMs !== null || nowMs - credit.lentMs < RECALL_AFTER_MS) continue;
      if (!this.#isForOthers(credit, wanted)) continue;
      credit.recalledMs = nowMs;
      wanted -= 1;
      changed.add(credit.gateway);
    }
    return changed;
  }

  /** Whether a gateway waits while credits are unused: check again soon. */
  get mustRecall(): boolean {
    const wanted = this.#credits.size > 0 ? this.#missingInAll : 0;
    if (wanted > 0) for (const credit of this.#credits.values()) if (this.#isForOthers(credit, wanted)) return true;
    return false;
  }

  get #missingInAll(): number {
    let all = 0;
    if (this.#wantedInAll > 0) for (const borrower of this.#borrowers.values()) all += missing(borrower);
    return all;
  }

  /** Whether windows of other gateways wait for it. A credit recalled for its own gateway would go back and forth. */
  #isForOthers({ gateway }: Credit, wanted: number): boolean {
    const borrower = this.#borrowers.get(gateway);
    return borrower === undefined || missing(borrower) < wanted;
  }

  #wanted(want: Want): number {
    let wanted = 0;
    for (const tier of this.#tiers) wanted += want[tier] ?? 0;
    return wanted;
  }

  /** Takes a credit from its gateway. */
  #take({ id, gateway }: Credit): void {
    this.#credits.delete(id);
    const borrower = this.#borrowers.get(gateway);
    if (borrower) borrower.lent -= 1;
  }

  /** Withdraws an unreturned credit; the time for which it blocked the slot counts as service. */
  #void(credit: Credit, nowMs: number): void {
    const { gateway, lentMs } = credit;
    this.#take(credit);
    const borrower = this.#borrowers.get(gateway);
    if (!borrower) return;
    borrower.finishMs = Math.max(borrower.finishMs, this.#virtualMs) + nowMs - lentMs;
    if (borrower.standing === 'new') borrower.standing = 'idler';
  }

  #next(nowMs: number): string {
    const waiting: [string, Borrower][] = [];
    if (this.#wantedInAll > 0) for (const entry of this.#borrowers) if (missing(entry[1]) > 0) waiting.push(entry);
    const areWaiting = waiting.length > 0;
    this.#homes ??= this.#chooseHomes();
    const some = areWaiting ? this.#preferred(waiting, nowMs) : this.#homes;
    const order = ({ lent, finishMs }: Borrower) => (areWaiting ? finishMs + lent * this.#windowMs : lent);
    return some.reduce((one, other) => {
      const difference = order(one[1]) - order(other[1]);
      return difference < 0 || (difference === 0 && one[1].rank < other[1].rank) ? one : other;
    })[0];
  }

  /** Proven gateways, but every PROBATION_MS the others, so that one of them can prove itself. */
  #preferred(waiting: [string, Borrower][], nowMs: number): [string, Borrower][] {
    const proven = waiting.filter(isProven);
    if (proven.length === 0 || proven.length === waiting.length) return waiting;
    if (nowMs - this.#probationMs < PROBATION_MS) return proven;
    this.#probationMs = nowMs;
    return waiting.filter((entry) => !isProven(entry));
  }

  /** Chooses by rank, so that most workers choose different gateways. */
  #chooseHomes(): readonly [string, Borrower][] {
    const all = [...this.#borrowers];
    const proven = all.filter(isProven);
    const some = proven.length > 0 ? proven : all;
    const count = Math.max(HOME_GATEWAYS_MIN, Math.ceil((HOME_WORKERS_MIN * all.length) / this.#workers));
    if (some.length <= count) return some;
    return some.sort(([, one], [, other]) => (one.rank < other.rank ? -1 : 1)).slice(0, count);
  }
}
