// Decides whether a new request may start, and when to retry if not.
import type { Clock } from '../../lib/time/clock.ts';
import type { AdmissionAnswer, AdmissionRequest } from '../transcriber.ts';
import { FairShares } from './fair-shares.ts';
import { RetryReservations } from './retry-reservations.ts';

/** Live streams may use at most this share of the slots. */
const LIVE_LOAD_MAX = 0.8;
/** The server is crowded when the work of others before a request exceeds this share of the maximum wait. */
const CROWDED_SHARE = 0.5;
/** With less work than this share of the maximum wait, recognisers are about to be idle. */
const IDLE_SHARE = 0.1;
/** Below this recent busy share, work is a burst, which is done before refused callers would retry. */
const BURST_BUSY_SHARE = 0.95;
/** A burst may delay a request by this many times the maximum wait. */
const BURST_WAITS = 2;
/** Share of the slots that reservations may fill; the rest absorbs work that takes longer than expected. */
const RESERVED_SHARE = 0.5;
/** With less work than this, an account is about to lose its share of the slots, since retries take a moment. */
const OWED_SECONDS = 3;
/** Reservations of others within this time count as present work. */
const NEXT_RESERVATIONS_MS = 1_000;

export interface AdmissionLimits {
  /** Refuse requests beyond this much waiting audio, since it is held in memory. */
  readonly queuedAudioSecondsMax: number;
  /** Admit a request when the work before it takes no longer than this. */
  readonly waitSecondsMax: number;
  /** The same on a crowded server, where a request waits for the work of other accounts. */
  readonly crowdedWaitSecondsMax: number;
}

/** Work of one account. */
export interface Backlog {
  /** Seconds of compute. */
  readonly cost: number;
  readonly audioSeconds: number;
}
const NO_BACKLOG: Backlog = { cost: 0, audioSeconds: 0 };

/** The current work of the recognisers. */
export interface Workload {
  readonly slots: number;
  /** The share of the time in which slots were busy or work waited for one; the last seconds count most. */
  readonly busyShare: number;
  /** Firm work by account: waiting, running, and expected of admitted requests. */
  readonly backlogs: ReadonlyMap<string, Backlog>;
  /** Compute seconds per second that the speech of live streams needs, by account. */
  readonly liveLoads: ReadonlyMap<string, number>;
}

/** The work that a new request is expected to need. */
export interface ExpectedCost {
  /** Seconds of compute. */
  readonly cost: number;
  /** Compute seconds per second while people speak; 0 for a file. */
  readonly liveLoad: number;
}

interface FairWait {
  /** Seconds of the account's own work before a new request. */
  readonly own: number;
  /** Seconds of the work of others, each counted up to the account's own share. */
  readonly others: number;
}

export class AdmissionControl {
  readonly #limits: AdmissionLimits;
  readonly #clock: Clock;
  readonly #reservations = new RetryReservations();
  /** Unused time is credited, because retries come a little late, and retries of long files may go to other servers. */
  readonly #shares = new FairShares(3_000);
  readonly #sharesOfLong = new FairShares(30_000);
  /** Compute seconds per second for each account with work or reservations. */
  #accountRate = Number.POSITIVE_INFINITY;

  constructor(limits: AdmissionLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Charges work that was done for the account. */
  served(accountId: string, workSeconds: number): void {
    for (const shares of [this.#shares, this.#sharesOfLong])
      shares.charge(accountId, workSeconds, this.#accountRate, this.#clock.monotonicMs());
  }

  /**
   * Accounts share the recognisers evenly: a request waits for its own account's work, and for at most the same amount
   * of each other account's. A refused request gets a reservation and is admitted when it retries at that time.
   */
  admit(request: AdmissionRequest, expected: ExpectedCost, load: Workload): AdmissionAnswer {
    const { accountId, mode, step } = request;
    const { cost } = expected;
    const nowMs = this.#clock.monotonicMs();
    // A file that was admitted with `enter` is not checked again when its session opens.
    if (mode === 'file' && step === 'begin' && this.#reservations.arrive(accountId, nowMs)) return ADMITTED;
    const refusal = this.#refuseOverload(request, cost, load, nowMs);
    const isOwed = !refusal?.ownLimit && this.#isOwedSlot(request, cost, load, nowMs);
    if (refusal && !isOwed) return refusal;
    const wait = fairWait(accountId, cost, load);
    if (isOwed || this.#mayEnter(request, expected, load, wait, nowMs)) {
      // Only files enter. A stream costs nothing until somebody speaks, so it needs no room.
      if (step === 'enter') this.#reservations.enter(accountId, cost, nowMs);
      return ADMITTED;
    }
    const excess = wait.others - this.#crowdedWaitMax(cost, load, nowMs);
    if (excess > 0 && this.#reservations.due(accountId, nowMs)) {
      const retryAfterSeconds = Math.ceil(excess);
      if (step !== 'ask') this.#reservations.postpone(accountId, nowMs + retryAfterSeconds * 1000, nowMs);
      return { admitted: false, retryAfterSeconds };
    }
    const retryAfterSeconds = this.#nextFreeSecond(accountId, cost, load, nowMs);
    if (step !== 'ask') this.#reservations.reserve(accountId, cost, nowMs + retryAfterSeconds * 1000, nowMs);
    return { admitted: false, retryAfterSeconds };
  }

  /** Refuses what a reservation cannot help: too much audio of the account, or far too much work in total. */
  #refuseOverload(request: AdmissionRequest, cost: number, load: Workload, nowMs: number): AdmissionAnswer | undefined {
    const { accountId, waitingSecondsMax } = request;
    const own = load.backlogs.get(accountId) ?? NO_BACKLOG;
    if (own.audioSeconds > waitingSecondsMax) {
      const excess = (own.cost * (1 - waitingSecondsMax / own.audioSeconds)) / load.slots;
      return { admitted: false, ownLimit: true, retryAfterSeconds: Math.max(1, Math.ceil(excess)) };
    }
    this.#share(accountId, load, nowMs);
    const wait = fairWait(accountId, cost, load);
    const overSeconds = wait.own + wait.others - this.#limits.waitSecondsMax;
    if (overSeconds <= 0 && !this.#isFull(load)) return undefined;
    return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(overSeconds)) };
  }

  #isFull({ backlogs }: Workload): boolean {
    let audioSeconds = 0;
    for (const backlog of backlogs.values()) audioSeconds += backlog.audioSeconds;
    return audioSeconds >= this.#limits.queuedAudioSecondsMax;
  }

  /** Divides the slots among the accounts that have work or reservations now. */
  #share(accountId: string, load: Workload, nowMs: number): void {
    const wanting = new Set([accountId, ...this.#reservations.accounts(nowMs)]);
    for (const [other, { cost }] of load.backlogs) if (cost > 0) wanting.add(other);
    this.#accountRate = freeSlots(load) / wanting.size;
  }

  /** Whether the account's reservation is due, or there is room in addition to the reservations of others. */
  #mayEnter(
    { accountId, mode }: AdmissionRequest,
    { cost, liveLoad }: ExpectedCost,
    load: Workload,
    wait: FairWait,
    nowMs: number,
  ): boolean {
    if (mode === 'stream' && fairLiveLoad(accountId, liveLoad, load) > LIVE_LOAD_MAX * load.slots) return false;
    const crowdedWaitMax = this.#crowdedWaitMax(cost, load, nowMs);
    // A reservation is an estimate: it is postponed when work took longer than expected, but only once.
    const reservation = this.#reservations.due(accountId, nowMs);
    if (reservation) return reservation.isPostponed || wait.others <= crowdedWaitMax;
    // Recognisers never idle for a reservation: its holder will find little work ahead of it anyway.
    if (this.#presentSeconds(load, nowMs) <= IDLE_SHARE * crowdedWaitMax) return true;
    if (this.#reservations.othersWait(accountId) && this.#shares.dueMs(accountId, nowMs) > nowMs) return false;
    const withReservations = plus(load, this.#reservations.costs(nowMs + NEXT_RESERVATIONS_MS, nowMs));
    return this.#excess(fairWait(accountId, cost, withReservations), crowdedWaitMax) <= 0;
  }

  /**
   * Whether the account is about to run out of work here without having used its share, while every account with work
   * has a slot: then a long file starts with the next window that ends. Its own reservations may be with other servers,
   * to which it never returned. Short files need no such rule: they are done soon, and reservations keep them fast.
   */
  #isOwedSlot({ accountId, mode }: AdmissionRequest, cost: number, load: Workload, nowMs: number): boolean {
    const isLong = mode === 'file' && cost > this.#limits.crowdedWaitSecondsMax * load.slots;
    if (!isLong || this.#isFull(load) || this.#sharesOfLong.dueMs(accountId, nowMs) > nowMs) return false;
    const entered = this.#reservations.costs(Number.NEGATIVE_INFINITY, nowMs);
    const working = new Set([...entered.keys(), accountId]);
    for (const [other, { cost }] of load.backlogs) if (cost > 0) working.add(other);
    const own = (load.backlogs.get(accountId)?.cost ?? 0) + (entered.get(accountId) ?? 0);
    return own < OWED_SECONDS && working.size <= freeSlots(load);
  }

  /** Seconds beyond the maximum wait. An account that others hardly delay may have a long queue of its own. */
  #excess({ own, others }: FairWait, crowdedWaitMax: number): number {
    const { waitSecondsMax } = this.#limits;
    const isCrowded = others > CROWDED_SHARE * crowdedWaitMax;
    return own + others - (isCrowded ? Math.min(crowdedWaitMax, waitSecondsMax) : waitSecondsMax);
  }

  /** A request may always wait as long as it would take itself on all slots: slow models need that. */
  #crowdedWaitMax(cost: number, { slots, busyShare }: Workload, nowMs: number): number {
    const isBurst = busyShare < BURST_BUSY_SHARE && !this.#reservations.areWaiting(nowMs);
    return Math.max((isBurst ? BURST_WAITS : 1) * this.#limits.crowdedWaitSecondsMax, cost / slots);
  }

  /** Seconds until the account is within its share and earlier reservations leave room. */
  #nextFreeSecond(accountId: string, cost: number, load: Workload, nowMs: number): number {
    const own = (load.backlogs.get(accountId)?.cost ?? 0) + this.#reservations.costOf(accountId, nowMs);
    const dueMs = this.#shares.dueMs(accountId, nowMs) + (1000 * own) / (RESERVED_SHARE * this.#accountRate);
    const perSecond = RESERVED_SHARE * freeSlots(load);
    const earliest = Math.max(1, Math.ceil((dueMs - nowMs) / 1000));
    return this.#reservations.firstFreeSecond(accountId, earliest, cost, perSecond, nowMs);
  }

  /** Seconds that all present work takes on all slots. */
  #presentSeconds({ backlogs, slots }: Workload, nowMs: number): number {
    let cost = 0;
    for (const backlog of backlogs.values()) cost += backlog.cost;
    for (const entered of this.#reservations.costs(Number.NEGATIVE_INFINITY, nowMs).values()) cost += entered;
    return cost / slots;
  }
}

const ADMITTED: AdmissionAnswer = { admitted: true, retryAfterSeconds: 0 };

/** The slots that live streams leave free. */
const freeSlots = ({ slots, liveLoads }: Workload): number => {
  let liveLoad = 0;
  for (const load of liveLoads.values()) liveLoad += load;
  return slots - Math.min(LIVE_LOAD_MAX * slots, liveLoad);
};

/** Live load for admitting a new stream: each other account counts up to this account's own load with the stream. */
const fairLiveLoad = (accountId: string, newLoad: number, { liveLoads }: Workload): number => {
  const own = liveLoads.get(accountId) ?? 0;
  const share = own + newLoad;
  let others = 0;
  for (const [other, load] of liveLoads) if (other !== accountId) others += Math.min(load, share);
  return own + others;
};

/** Expected wait of a new request. */
const fairWait = (accountId: string, cost: number, load: Workload): FairWait => {
  const own = load.backlogs.get(accountId)?.cost ?? 0;
  const share = own + cost;
  let others = 0;
  for (const [other, backlog] of load.backlogs) if (other !== accountId) others += Math.min(backlog.cost, share);
  const free = freeSlots(load);
  return { own: own / free, others: others / free };
};

const plus = (load: Workload, costs: ReadonlyMap<string, number>): Workload => {
  const backlogs = new Map(load.backlogs);
  for (const [accountId, cost] of costs) {
    const { cost: before, audioSeconds } = backlogs.get(accountId) ?? NO_BACKLOG;
    backlogs.set(accountId, { cost: before + cost, audioSeconds });
  }
  return { ...load, backlogs };
};
