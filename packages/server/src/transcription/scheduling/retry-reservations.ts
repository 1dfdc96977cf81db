// Reservations for requests that a crowded server refused: a caller that retries at the given time is admitted.

/** A reservation may be used this much before and after its time: clocks, networks and whole seconds are not exact. */
const EARLY_MS = 250;
const LATE_MS = 4_000;
/** How long an admitted request may take until its session opens. */
const ENTERED_MS = 5_000;
/** Beyond this many reservations, an account's callers get a retry time but no reservation. */
const RESERVATIONS_PER_ACCOUNT_MAX = 200;
const AHEAD_MS_MAX = 120_000;
/** Weight of one used or expired reservation in the `usedShare` of its account. */
const LEARNING_RATE = 0.2;

interface Reservation {
  readonly atMs: number;
  /** Expected compute seconds. */
  readonly cost: number;
  /** The caller came on time and was asked to retry once more. */
  readonly isPostponed?: boolean;
}

interface AccountReservations {
  /** Share of recent reservations that were used. Reservations of callers that never retry count for little. */
  usedShare: number;
  /** Sorted by time. */
  readonly reserved: Reservation[];
  /** Admitted requests without a session; `atMs` is when they stop counting. */
  readonly entered: Reservation[];
}

export class RetryReservations {
  readonly #byAccount = new Map<string, AccountReservations>();

  /** Keeps room for a request of the account at that time. */
  reserve(accountId: string, cost: number, atMs: number, nowMs: number): void {
    const { reserved } = this.#of(accountId);
    if (reserved.length < RESERVATIONS_PER_ACCOUNT_MAX && atMs - nowMs <= AHEAD_MS_MAX)
      insert(reserved, { atMs, cost });
  }

  /** Moves the reservation that is due now to a later time. */
  postpone(accountId: string, atMs: number, nowMs: number): void {
    const reservation = this.due(accountId, nowMs);
    if (!reservation) return;
    const { reserved } = this.#of(accountId);
    reserved.shift();
    insert(reserved, { ...reservation, atMs, isPostponed: true });
  }

  /**
   * The first whole second, from the earliest on, with room for the cost. Counts at most as many reservations of each
   * other account as this account will have, so that accounts with many reservations do not keep it out.
   */
  firstFreeSecond(
    accountId: string,
    earliestSeconds: number,
    cost: number,
    costPerSecond: number,
    nowMs: number,
  ): number {
    this.#dropExpired(nowMs);
    const ownCount = this.#byAccount.get(accountId)?.reserved.length ?? 0;
    const lastSecond = AHEAD_MS_MAX / 1000;
    // Nothing will be reserved, so there is nothing to search.
    if (ownCount >= RESERVATIONS_PER_ACCOUNT_MAX || earliestSeconds >= lastSecond)
      return Math.max(earliestSeconds, lastSecond);
    const taken = new Map<number, number>();
    for (const { reserved, usedShare } of this.#byAccount.values())
      for (const reservation of reserved.slice(0, ownCount + 1)) {
        const second = Math.round((reservation.atMs - nowMs) / 1000);
        taken.set(second, (taken.get(second) ?? 0) + usedShare * reservation.cost);
      }
    let room = 0;
    for (let second = 1; second < lastSecond; second++) {
      // Unused room carries over for one second only: work that has not arrived cannot be done ahead.
      room = Math.min(costPerSecond, room) + costPerSecond - (taken.get(second) ?? 0);
      if (second >= earliestSeconds && room >= Math.min(cost, costPerSecond)) return second;
    }
    return Math.max(earliestSeconds, lastSecond);
  }

  /** Whether there are reservations. */
  areWaiting(nowMs: number): boolean {
    this.#dropExpired(nowMs);
    for (const { reserved } of this.#byAccount.values()) if (reserved.length > 0) return true;
    return false;
  }

  /** Accounts with reservations or entered requests. */
  accounts(nowMs: number): Iterable<string> {
    this.#dropExpired(nowMs);
    return this.#byAccount.keys();
  }

  /** Whether another account has a reservation. */
  othersWait(accountId: string): boolean {
    for (const [other, { reserved }] of this.#byAccount) if (other !== accountId && reserved.length > 0) return true;
    return false;
  }

  /** The reservation that the account may use now. */
  due(accountId: string, nowMs: number): Reservation | undefined {
    this.#dropExpired(nowMs);
    const first = this.#byAccount.get(accountId)?.reserved[0];
    return first && first.atMs - EARLY_MS <= nowMs ? first : undefined;
  }

  /** Uses the reservation that is due, if any, and counts the request as entered until its session opens. */
  enter(accountId: string, cost: number, nowMs: number): void {
    const reservations = this.#of(accountId);
    if (this.due(accountId, nowMs)) {
      reservations.reserved.shift();
      reservations.usedShare += LEARNING_RATE * (1 - reservations.usedShare);
    }
    this.#byAccount.set(accountId, reservations);
    reservations.entered.push({ atMs: nowMs + ENTERED_MS, cost });
  }

  /** Called when a session opens: removes an entered request. False when the account has none. */
  arrive(accountId: string, nowMs: number): boolean {
    this.#dropExpired(nowMs);
    return this.#byAccount.get(accountId)?.entered.shift() !== undefined;
  }

  /** Compute seconds by account: entered requests, and reservations up to that time. */
  costs(untilMs: number, nowMs: number): Map<string, number> {
    this.#dropExpired(nowMs);
    const costs = new Map<string, number>();
    for (const [accountId, reservations] of this.#byAccount) {
      const cost = costUntil(reservations, untilMs);
      if (cost > 0) costs.set(accountId, cost);
    }
    return costs;
  }

  /** Compute seconds of all entered requests and reservations of the account. */
  costOf(accountId: string, nowMs: number): number {
    this.#dropExpired(nowMs);
    const reservations = this.#byAccount.get(accountId);
    return reservations ? costUntil(reservations, Number.POSITIVE_INFINITY) : 0;
  }

  #of(accountId: string): AccountReservations {
    const reservations = this.#byAccount.get(accountId) ?? { usedShare: 1, reserved: [], entered: [] };
    this.#byAccount.set(accountId, reservations);
    return reservations;
  }

  #dropExpired(nowMs: number): void {
    for (const [accountId, reservations] of this.#byAccount) {
      const { reserved, entered } = reservations;
      while (reserved[0] && reserved[0].atMs + LATE_MS < nowMs) {
        reserved.shift();
        reservations.usedShare -= LEARNING_RATE * reservations.usedShare;
      }
      while (entered[0] && entered[0].atMs < nowMs) entered.shift();
      if (reserved.length + entered.length === 0) this.#byAccount.delete(accountId);
    }
  }
}

const insert = (reserved: Reservation[], reservation: Reservation): void => {
  reserved.splice(reserved.findLastIndex(({ atMs }) => atMs <= reservation.atMs) + 1, 0, reservation);
};

const costUntil = ({ reserved, entered, usedShare }: AccountReservations, untilMs: number): number => {
  let cost = 0;
  for (const request of entered) cost += request.cost;
  for (const reservation of reserved) {
    if (reservation.atMs > untilMs) break;
    cost += usedShare * reservation.cost;
  }
  return cost;
};
