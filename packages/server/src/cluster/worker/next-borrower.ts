// Decides which gateway gets a worker's next free slot.
import { PROBATION_MS } from '../timing.ts';
import { type Borrower, isProven, missing, missingInBackground } from './borrower.ts';

/**
 * Idle slots go to few gateways, so that windows between the same two parties replace heartbeats; but to enough that
 * each gateway finds idle slots on at least HOME_WORKERS_MIN workers.
 */
const HOME_GATEWAYS_MIN = 2;
const HOME_WORKERS_MIN = 16;

type Entry = readonly [gateway: string, Borrower];

const isIdle = ([, borrower]: Entry): boolean => missingInBackground(borrower) === 0;

/** Which kinds of windows wait at any gateway. */
export interface Waiting {
  readonly firm: boolean;
  /** Whether background windows wait and may have the slot. */
  readonly background: boolean;
}

export class NextBorrower {
  readonly #borrowers: ReadonlyMap<string, Borrower>;
  /** The chosen homes; undefined after a change. */
  #chosen: readonly Entry[] | undefined;
  #workers = 0;
  #probationMs = -Infinity;

  constructor(borrowers: ReadonlyMap<string, Borrower>) {
    this.#borrowers = borrowers;
  }

  /** Number of workers in the cluster. */
  set workers(count: number) {
    if (count !== this.#workers) this.borrowersChanged();
    this.#workers = count;
  }

  borrowersChanged(): void {
    this.#chosen = undefined;
  }

  /**
   * The waiting gateway with the least service so far; if none waits, the home gateway with the fewest credits.
   * `windowMs`: the usual time of a window.
   */
  choose(waiting: Waiting, windowMs: number, nowMs: number): string {
    let some = waiting.firm ? this.#all(missing) : [];
    if (some.length === 0 && waiting.background) some = this.#all(missingInBackground);
    const areWaiting = some.length > 0;
    const order = ({ lent, finishMs }: Borrower) => (areWaiting ? finishMs + lent * windowMs : lent);
    return (areWaiting ? this.#preferred(some, nowMs) : this.#forIdleSlots).reduce((one, other) => {
      const difference = order(one[1]) - order(other[1]);
      return difference < 0 || (difference === 0 && one[1].rank < other[1].rank) ? one : other;
    })[0];
  }

  #all(missingOf: (borrower: Borrower) => number): Entry[] {
    const some: Entry[] = [];
    for (const entry of this.#borrowers) if (missingOf(entry[1]) > 0) some.push(entry);
    return some;
  }

  /** Proven gateways, but every PROBATION_MS the others, so that one of them can prove itself. */
  #preferred(waiting: readonly Entry[], nowMs: number): readonly Entry[] {
    const proven = waiting.filter(isProven);
    if (proven.length === 0 || proven.length === waiting.length) return waiting;
    if (nowMs - this.#probationMs < PROBATION_MS) return proven;
    this.#probationMs = nowMs;
    return waiting.filter((entry) => !isProven(entry));
  }

  /** Whether a home has no background windows, so that idle slots may be kept for it. */
  get hasIdleHome(): boolean {
    return this.#homes.some(isIdle);
  }

  /** The homes without background windows, which would use the slot at once, if there are any. */
  get #forIdleSlots(): readonly Entry[] {
    const homes = this.#homes;
    const idle = homes.every(isIdle) ? homes : homes.filter(isIdle);
    return idle.length > 0 ? idle : homes;
  }

  /** Gateways that get idle slots first. */
  get #homes(): readonly Entry[] {
    this.#chosen ??= this.#chooseHomes();
    return this.#chosen;
  }

  /** Chooses by rank, so that most workers choose different gateways. */
  #chooseHomes(): readonly Entry[] {
    const all = [...this.#borrowers];
    const proven = all.filter(isProven);
    const some = proven.length > 0 ? proven : all;
    const count = Math.max(HOME_GATEWAYS_MIN, Math.ceil((HOME_WORKERS_MIN * all.length) / this.#workers));
    if (some.length <= count) return some;
    return some.sort(([, one], [, other]) => (one.rank < other.rank ? -1 : 1)).slice(0, count);
  }
}
