// Turns of requests that were refused on a crowded server: each is told when to come back, and finds room then.

/** A turn may be used this much before and after its time: clocks, networks and whole seconds are not exact. */
const EARLY_MS = 250;
const LATE_MS = 4_000;
/** How long a request that was let in may take until its session opens. */
const COMING_MS = 5_000;
/** Turns that an account may have; a caller beyond them is told a time, but nothing is kept for it. */
const TURNS_PER_ACCOUNT_MAX = 200;
const TURN_MS_MAX = 120_000;

interface Turn {
  readonly atMs: number;
  /** Expected compute seconds. */
  readonly cost: number;
  /** Whoever had it came before, and was told to come once more. */
  readonly isPutOff?: boolean;
}

/** How much one turn, used or let go by, says about the next ones of its account. */
const LEARNING_RATE = 0.2;

interface AccountTurns {
  /** The share of its turns that the account uses lately: those of callers who never come back count for little. */
  usedShare: number;
  /** In the order of their times. */
  readonly booked: Turn[];
  /** Let in, and no session yet; `atMs` is when that is given up. */
  readonly coming: Turn[];
}

export class Turns {
  readonly #byAccount = new Map<string, AccountTurns>();

  /** Keeps room for a request of the account at that time. */
  book(accountId: string, cost: number, atMs: number, nowMs: number): void {
    const { booked } = this.#of(accountId);
    if (booked.length < TURNS_PER_ACCOUNT_MAX && atMs - nowMs <= TURN_MS_MAX) insert(booked, { atMs, cost });
  }

  /** Moves the turn that the account has now. */
  putOff(accountId: string, atMs: number, nowMs: number): void {
    const turn = this.due(accountId, nowMs);
    if (!turn) return;
    const { booked } = this.#of(accountId);
    booked.shift();
    insert(booked, { ...turn, atMs, isPutOff: true });
  }

  /**
   * The first whole second, from the earliest on, in which the turns given so far leave room for the cost. Of others no
   * more turns count than the account has itself, this one included: many turns of many accounts do not keep it out.
   */
  firstFree(accountId: string, earliestSeconds: number, cost: number, costPerSecond: number, nowMs: number): number {
    this.#forget(nowMs);
    const ownTurns = this.#byAccount.get(accountId)?.booked.length ?? 0;
    // Nothing will be kept for it: nobody's turns need be looked at.
    if (ownTurns >= TURNS_PER_ACCOUNT_MAX || earliestSeconds >= TURN_MS_MAX / 1000)
      return Math.max(earliestSeconds, TURN_MS_MAX / 1000);
    const taken = new Map<number, number>();
    for (const { booked, usedShare } of this.#byAccount.values())
      for (const turn of booked.slice(0, ownTurns + 1)) {
        const second = Math.round((turn.atMs - nowMs) / 1000);
        taken.set(second, (taken.get(second) ?? 0) + usedShare * turn.cost);
      }
    let room = 0;
    for (let second = 1; second < TURN_MS_MAX / 1000; second++) {
      // What is not taken now may be used later, but not for long: work that is not there cannot be done ahead.
      room = Math.min(costPerSecond, room) + costPerSecond - (taken.get(second) ?? 0);
      if (second >= earliestSeconds && room >= Math.min(cost, costPerSecond)) return second;
    }
    return Math.max(earliestSeconds, TURN_MS_MAX / 1000);
  }

  /** The accounts that have turns, or requests on their way. */
  accounts(nowMs: number): Iterable<string> {
    this.#forget(nowMs);
    return this.#byAccount.keys();
  }

  /** Whether any other account has a turn before it. */
  othersWait(accountId: string): boolean {
    for (const [other, { booked }] of this.#byAccount) if (other !== accountId && booked.length > 0) return true;
    return false;
  }

  /** The turn that the account has now. */
  due(accountId: string, nowMs: number): Turn | undefined {
    this.#forget(nowMs);
    const first = this.#byAccount.get(accountId)?.booked[0];
    return first && first.atMs - EARLY_MS <= nowMs ? first : undefined;
  }

  /** A request was let in: uses up its turn, if it had one, and counts as coming until its session opens. */
  enter(accountId: string, cost: number, nowMs: number): void {
    const turns = this.#of(accountId);
    if (this.due(accountId, nowMs)) {
      turns.booked.shift();
      turns.usedShare += LEARNING_RATE * (1 - turns.usedShare);
    }
    this.#byAccount.set(accountId, turns);
    turns.coming.push({ atMs: nowMs + COMING_MS, cost });
  }

  /** The session of a request that was let in opens now. False when none of the account was on its way. */
  arrive(accountId: string, nowMs: number): boolean {
    this.#forget(nowMs);
    return this.#byAccount.get(accountId)?.coming.shift() !== undefined;
  }

  /** Compute seconds by account of what is on its way, and of the turns until then. */
  costs(untilMs: number, nowMs: number): Map<string, number> {
    this.#forget(nowMs);
    const costs = new Map<string, number>();
    for (const [accountId, turns] of this.#byAccount) {
      const cost = costUntil(turns, untilMs);
      if (cost > 0) costs.set(accountId, cost);
    }
    return costs;
  }

  /** The same of one account, with all its turns. */
  costOf(accountId: string, nowMs: number): number {
    this.#forget(nowMs);
    const turns = this.#byAccount.get(accountId);
    return turns ? costUntil(turns, Number.POSITIVE_INFINITY) : 0;
  }

  #of(accountId: string): AccountTurns {
    const turns = this.#byAccount.get(accountId) ?? { usedShare: 1, booked: [], coming: [] };
    this.#byAccount.set(accountId, turns);
    return turns;
  }

  /** Turns that nobody came for, and requests that never opened a session. */
  #forget(nowMs: number): void {
    for (const [accountId, turns] of this.#byAccount) {
      const { booked, coming } = turns;
      while (booked[0] && booked[0].atMs + LATE_MS < nowMs) {
        booked.shift();
        turns.usedShare -= LEARNING_RATE * turns.usedShare;
      }
      while (coming[0] && coming[0].atMs < nowMs) coming.shift();
      if (booked.length + coming.length === 0) this.#byAccount.delete(accountId);
    }
  }
}

const insert = (booked: Turn[], turn: Turn): void => {
  booked.splice(booked.findLastIndex(({ atMs }) => atMs <= turn.atMs) + 1, 0, turn);
};

const costUntil = ({ booked, coming, usedShare }: AccountTurns, untilMs: number): number => {
  let cost = 0;
  for (const turn of coming) cost += turn.cost;
  for (const turn of booked) {
    if (turn.atMs > untilMs) break;
    cost += usedShare * turn.cost;
  }
  return cost;
};
