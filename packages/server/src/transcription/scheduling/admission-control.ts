// Whether a new request may come in, and when to come back if not.
import type { Clock } from '../../lib/time/clock.ts';
import type { AdmissionAnswer, AdmissionRequest } from '../transcriber.ts';
import { FairShares } from './fair-shares.ts';
import { Turns } from './turns.ts';

/** Live streams go on: this share of the slots is as much as they may need in all. */
const LIVE_LOAD_MAX = 0.8;
/** Where others have no more work before a request than this share of the longest wait, the server is not crowded. */
const CROWDED_SHARE = 0.5;
/** With less work than this share of the longest wait, recognisers are about to be idle. */
const IDLE_SHARE = 0.1;
/** The share of the slots that turns are given for; the rest is for what takes longer than was expected. */
const BOOKED_SHARE = 0.5;
/** Turns of others within this time count as work that is there. */
const NEXT_TURNS_MS = 1_000;

export interface AdmissionLimits {
  /** Waiting audio beyond this is refused, since it is held in memory. */
  readonly queuedAudioSecondsMax: number;
  /** A request is admitted when the work before it takes no longer than this. */
  readonly waitSecondsMax: number;
  /** The same on a crowded server, where it is other accounts' work that a request waits for. */
  readonly crowdedWaitSecondsMax: number;
}

/** Work of one account, in seconds of compute and of audio. */
export interface Backlog {
  readonly cost: number;
  readonly audioSeconds: number;
}
const NO_BACKLOG: Backlog = { cost: 0, audioSeconds: 0 };

/** What the recognisers have before them now. */
export interface Workload {
  readonly slots: number;
  /** Firm work by account: waiting, running, and expected of what was admitted. */
  readonly backlogs: ReadonlyMap<string, Backlog>;
  /** Compute seconds per second that live streams go on to need. */
  readonly liveLoad: number;
}

interface FairWait {
  /** Seconds of work of the account itself before a new request of it. */
  readonly own: number;
  /** And of others, of whom none goes before with more than the account's own share. */
  readonly others: number;
}

export class AdmissionControl {
  readonly #limits: AdmissionLimits;
  readonly #clock: Clock;
  readonly #turns = new Turns();
  readonly #shares = new FairShares();
  /** Compute seconds per second that each account that wants something may have. */
  #accountRate = Number.POSITIVE_INFINITY;

  constructor(limits: AdmissionLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Work was done for the account. */
  served(accountId: string, workSeconds: number): void {
    this.#shares.charge(accountId, workSeconds, this.#accountRate, this.#clock.monotonicMs());
  }

  /**
   * Whether there is room for one more request that would take `cost` seconds of compute. Accounts share the recognisers
   * evenly, so an account waits for its own work, and for no more of anybody else's than that. When the wait would be too
   * long the request is given a turn: coming back then, it is let in.
   */
  admit(request: AdmissionRequest, cost: number, load: Workload): AdmissionAnswer {
    const { accountId, step, waitingSecondsMax } = request;
    const nowMs = this.#clock.monotonicMs();
    const own = load.backlogs.get(accountId) ?? NO_BACKLOG;
    if (own.audioSeconds > waitingSecondsMax) {
      const excess = (own.cost * (1 - waitingSecondsMax / own.audioSeconds)) / load.slots;
      return { admitted: false, ownLimit: true, retryAfterSeconds: Math.max(1, Math.ceil(excess)) };
    }
    this.#share(accountId, load, nowMs);
    const wait = fairWait(accountId, cost, load);
    const overSeconds = wait.own + wait.others - this.#limits.waitSecondsMax;
    let audioSeconds = 0;
    for (const backlog of load.backlogs.values()) audioSeconds += backlog.audioSeconds;
    if (overSeconds > 0 || audioSeconds >= this.#limits.queuedAudioSecondsMax)
      return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(overSeconds)) };
    const arrived = step === 'begin' && this.#turns.arrive(accountId, nowMs);
    if (arrived || this.#mayEnter(request, cost, load, wait, nowMs)) {
      // The session of a stream opens with its first audio only; until then, it is on its way.
      if (!arrived && (step === 'enter' || request.mode === 'stream') && step !== 'ask')
        this.#turns.enter(accountId, cost, nowMs);
      return { admitted: true, retryAfterSeconds: 0 };
    }
    const excess = wait.others - this.#crowdedWaitMax(cost, load.slots);
    if (excess > 0 && this.#turns.due(accountId, nowMs)) {
      const retryAfterSeconds = Math.ceil(excess);
      if (step !== 'ask') this.#turns.putOff(accountId, nowMs + retryAfterSeconds * 1000, nowMs);
      return { admitted: false, retryAfterSeconds };
    }
    const retryAfterSeconds = this.#nextTurnSeconds(accountId, cost, load, nowMs);
    if (step !== 'ask') this.#turns.book(accountId, cost, nowMs + retryAfterSeconds * 1000, nowMs);
    return { admitted: false, retryAfterSeconds };
  }

  /** Divides what the slots can do among the accounts that want something now. */
  #share(accountId: string, { backlogs, slots, liveLoad }: Workload, nowMs: number): void {
    const wanting = new Set([accountId, ...this.#turns.accounts(nowMs)]);
    for (const [other, { cost }] of backlogs) if (cost > 0) wanting.add(other);
    this.#accountRate = freeSlots(slots, liveLoad) / wanting.size;
  }

  /** Whether it is the account's turn, or there is room beside those whose turn comes next. */
  #mayEnter(
    { accountId, mode }: AdmissionRequest,
    cost: number,
    load: Workload,
    wait: FairWait,
    nowMs: number,
  ): boolean {
    if (mode === 'stream' && load.liveLoad > LIVE_LOAD_MAX * load.slots) return false;
    const crowdedWaitMax = this.#crowdedWaitMax(cost, load.slots);
    // A turn is an estimate: where work took longer than expected, it is put off, but not twice.
    const turn = this.#turns.due(accountId, nowMs);
    if (turn) return turn.isPutOff || wait.others <= crowdedWaitMax;
    // Idle recognisers are kept for nobody: whoever has a turn and comes finds little before it.
    if (this.#presentSeconds(load, nowMs) <= IDLE_SHARE * crowdedWaitMax) return true;
    if (this.#turns.othersWait(accountId) && this.#shares.dueMs(accountId, nowMs) > nowMs) return false;
    const withTurns = plus(load, this.#turns.costs(nowMs + NEXT_TURNS_MS, nowMs));
    return this.#excess(fairWait(accountId, cost, withTurns), crowdedWaitMax) <= 0;
  }

  /** Seconds beyond the longest wait. An account that others hardly hold up may have a long queue of its own. */
  #excess({ own, others }: FairWait, crowdedWaitMax: number): number {
    const { waitSecondsMax } = this.#limits;
    const isCrowded = others > CROWDED_SHARE * crowdedWaitMax;
    return own + others - (isCrowded ? Math.min(crowdedWaitMax, waitSecondsMax) : waitSecondsMax);
  }

  /** A request may always wait as long as one of its kind takes with all slots: with slow models no other wait would make sense. */
  #crowdedWaitMax(cost: number, slots: number): number {
    return Math.max(this.#limits.crowdedWaitSecondsMax, cost / slots);
  }

  /** After how many seconds the account has had no more than its share, and the turns given before leave room. */
  #nextTurnSeconds(accountId: string, cost: number, load: Workload, nowMs: number): number {
    const own = (load.backlogs.get(accountId)?.cost ?? 0) + this.#turns.costOf(accountId, nowMs);
    const dueMs = this.#shares.dueMs(accountId, nowMs) + (1000 * own) / (BOOKED_SHARE * this.#accountRate);
    const perSecond = BOOKED_SHARE * freeSlots(load.slots, load.liveLoad);
    const earliest = Math.max(1, Math.ceil((dueMs - nowMs) / 1000));
    return this.#turns.firstFree(accountId, earliest, cost, perSecond, nowMs);
  }

  /** Seconds of all work that is there. */
  #presentSeconds({ backlogs, slots }: Workload, nowMs: number): number {
    let cost = 0;
    for (const backlog of backlogs.values()) cost += backlog.cost;
    for (const coming of this.#turns.costs(Number.NEGATIVE_INFINITY, nowMs).values()) cost += coming;
    return cost / slots;
  }
}

/** The slots that live streams leave. */
const freeSlots = (slots: number, liveLoad: number): number => slots - Math.min(LIVE_LOAD_MAX * slots, liveLoad);

/** The wait of a new request. */
const fairWait = (accountId: string, cost: number, { backlogs, slots, liveLoad }: Workload): FairWait => {
  const own = backlogs.get(accountId)?.cost ?? 0;
  const share = own + cost;
  let others = 0;
  for (const [other, backlog] of backlogs) if (other !== accountId) others += Math.min(backlog.cost, share);
  const free = freeSlots(slots, liveLoad);
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
