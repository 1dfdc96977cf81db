// Tracks a worker's slots (free, lent to a gateway as a credit, or busy): lends free ones, and recalls unused credits.
import { createHash } from 'node:crypto';
import type { ModelId } from '@faircopy/contract';
import { newId, type Waits, type Want } from '../messages.ts';
import { CREDIT_VOID_AFTER_MS, RECALL_AFTER_MS } from '../timing.ts';
import { type Borrower, hasSpare, missing, missingInBackground } from './borrower.ts';
import { NextBorrower } from './next-borrower.ts';

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
/** Share of a worker's slots that background windows do not take from other gateways, so that firm ones find a slot. */
const RESERVE_SHARE = 0.25;

const NONE: ReadonlySet<string> = new Set();

export class CreditBook {
  readonly #workerId: string;
  readonly #tiers: readonly ModelId[];
  readonly #slots: number;
  readonly #newId: () => string;
  readonly #borrowers = new Map<string, Borrower>();
  readonly #credits = new Map<string, Credit>();
  readonly #leases = new Map<string, Lease>();
  readonly #nextBorrower = new NextBorrower(this.#borrowers);
  /** Waiting windows of all gateways. */
  #wantedInAll = 0;
  #backgroundInAll = 0;
  #virtualMs = 0;
  #windowMs = FIRST_WINDOW_MS;
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
    this.#nextBorrower.workers = count;
  }

  /** Updates what a gateway waits for. */
  update(gateway: string, waits: Waits): void {
    const borrower = this.#borrowers.get(gateway);
    const wanted = this.#wanted(waits.want);
    const background = waits.background === undefined ? 0 : this.#wanted(waits.background);
    this.#wantedInAll += wanted - (borrower?.wanted ?? 0);
    this.#backgroundInAll += background - (borrower?.background ?? 0);
    if (borrower) {
      // An idle gateway accumulates no claim.
      if (borrower.running === 0 && borrower.wanted === 0)
        borrower.finishMs = Math.max(borrower.finishMs, this.#virtualMs);
      borrower.wanted = wanted;
      borrower.background = background;
    } else {
      this.#nextBorrower.borrowersChanged();
      this.#borrowers.set(gateway, {
        wanted,
        background,
        finishMs: this.#virtualMs,
        rank: createHash('sha256').update(`${this.#workerId} ${gateway}`).digest('base64'),
        standing: 'new',
        lent: 0,
        recalled: 0,
        running: this.of(gateway).leases.length,
      });
    }
  }

  /** Removes a gateway and its credits; returns the ids of its running windows. */
  forget(gateway: string): readonly string[] {
    const { wanted = 0, background = 0 } = this.#borrowers.get(gateway) ?? {};
    this.#wantedInAll -= wanted;
    this.#backgroundInAll -= background;
    this.#borrowers.delete(gateway);
    this.#nextBorrower.borrowersChanged();
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
      if (borrower.standing !== 'proven') this.#nextBorrower.borrowersChanged();
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

  /** Stops lending, until `resume`. */
  drain(): void {
    this.#isDraining = true;
    for (const credit of [...this.#credits.values()]) this.#take(credit);
  }

  resume(): void {
    this.#isDraining = false;
  }

  /**
   * Lends every free slot: to the waiting gateway with the least service so far; if none waits, to the home gateway
   * with the fewest credits, so that its next window starts without a request. Gateways that have spent credits come
   * first. Background windows get what is left, but for a reserve. Recalls unused credits while another gateway waits.
   * Returns the gateways whose state changed.
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
      const waiting = { firm: this.#wantedInAll > 0, background: this.#forBackground > 0 };
      const gateway = this.#nextBorrower.choose(waiting, this.#windowMs, nowMs);
      const id = this.#newId();
      this.#credits.set(id, { id, gateway, lentMs: nowMs, recalledMs: null });
      this.#borrowers.get(gateway)!.lent += 1;
      changed.add(gateway);
    }
    this.#recall(nowMs, changed);
    return changed;
  }

  #recall(nowMs: number, changed: Set<string>): void {
    const firm = this.#missingInAll;
    let wanted = firm > 0 ? firm : this.#forBackground;
    for (const credit of this.#credits.values()) {
      if (wanted <= 0) break;
      // Slots for background windows already exclude these.
      if (credit.recalledMs !== null && firm > 0) wanted -= 1;
      if (credit.recalledMs !== null || nowMs - credit.lentMs < RECALL_AFTER_MS) continue;
      if (firm > 0 ? !this.#isForOthers(credit, wanted) : !this.#isSpare(credit)) continue;
      credit.recalledMs = nowMs;
      const borrower = this.#borrowers.get(credit.gateway);
      if (borrower) borrower.recalled += 1;
      wanted -= 1;
      changed.add(credit.gateway);
    }
  }

  /** Whether a gateway waits while credits are unused: check again soon. */
  get mustRecall(): boolean {
    if (this.#credits.size === 0) return false;
    const firm = this.#missingInAll;
    if (firm === 0 && this.#forBackground === 0) return false;
    for (const credit of this.#credits.values())
      if (firm > 0 ? this.#isForOthers(credit, firm) : this.#isSpare(credit)) return true;
    return false;
  }

  /** How many more slots background windows may have of those that are free or lent to gateways without such windows. */
  get #forBackground(): number {
    if (this.#backgroundInAll === 0) return 0;
    let missing = 0;
    let recalled = 0;
    let idle = this.#slots - this.#leases.size;
    for (const borrower of this.#borrowers.values()) {
      const more = missingInBackground(borrower);
      missing += more;
      if (more > 0) idle -= borrower.lent;
      recalled += borrower.recalled;
    }
    const least = this.#slots > 1 ? Math.max(1, Math.floor(RESERVE_SHARE * this.#slots)) : 0;
    const reserve = this.#nextBorrower.hasIdleHome ? least : 0;
    return Math.max(0, Math.min(missing, idle - reserve) - recalled);
  }

  #isSpare({ gateway }: Credit): boolean {
    const borrower = this.#borrowers.get(gateway);
    return borrower === undefined || hasSpare(borrower);
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
  #take({ id, gateway, recalledMs }: Credit): void {
    this.#credits.delete(id);
    const borrower = this.#borrowers.get(gateway);
    if (!borrower) return;
    borrower.lent -= 1;
    if (recalledMs !== null) borrower.recalled -= 1;
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
}
