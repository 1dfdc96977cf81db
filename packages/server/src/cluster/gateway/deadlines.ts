// Tracks deadlines, so that a sweep over a thousand workers checks only those that may be overdue.

/** Width of a bucket: the interval at which the pool sweeps. */
const SPAN_MS = 250;
const spanOf = (atMs: number): number => Math.floor(atMs / SPAN_MS);

export interface Watched {
  /** Not overdue before this time. It may have moved later since `schedule`. */
  readonly dueMs: number;
  /** Time of the next check. */
  checkAtMs: number;
  /** Position in the results of `overdue`. */
  readonly nth: number;
}

export class Deadlines<One extends Watched> {
  readonly #bySpan = new Map<number, Set<One>>();

  /** Schedules a check after that time. */
  schedule(one: One, atMs: number): void {
    // An earlier check is scheduled, and schedules the next one.
    if (atMs >= one.checkAtMs) return;
    one.checkAtMs = atMs;
    const span = spanOf(atMs);
    const bucket = this.#bySpan.get(span);
    if (bucket) bucket.add(one);
    else this.#bySpan.set(span, new Set([one]));
  }

  forget(one: One): void {
    one.checkAtMs = Number.POSITIVE_INFINITY;
  }

  /** Overdue items. Each is returned by every call until its deadline moves or it is forgotten. */
  overdue(nowMs: number): readonly One[] {
    const overdue: One[] = [];
    for (const one of this.#take(nowMs)) {
      one.checkAtMs = Number.POSITIVE_INFINITY;
      const isOverdue = one.dueMs < nowMs;
      if (isOverdue) overdue.push(one);
      this.schedule(one, isOverdue ? nowMs : one.dueMs);
    }
    return overdue.sort((one, other) => one.nth - other.nth);
  }

  /** Items to check now. A bucket may also hold items that were rescheduled or forgotten. */
  #take(nowMs: number): Iterable<One> {
    const taken = new Set<One>();
    for (const [span, bucket] of this.#bySpan) {
      if (span > spanOf(nowMs)) continue;
      this.#bySpan.delete(span);
      for (const one of bucket) if (spanOf(one.checkAtMs) === span) taken.add(one);
    }
    return taken;
  }
}
