// When to look at whom: among a thousand workers, only the few whose time has come are looked at.

/** As often as somebody looks. */
const SPAN_MS = 250;
const spanOf = (atMs: number): number => Math.floor(atMs / SPAN_MS);

export interface Watched {
  /** Until then, there is nothing to see. It may have become later since it was expected. */
  readonly dueMs: number;
  /** When it is looked at next. */
  lookAtMs: number;
  /** Those that came first are named first. */
  readonly nth: number;
}

export class Deadlines<One extends Watched> {
  readonly #bySpan = new Map<number, Set<One>>();

  /** There may be something to see after that time. */
  expect(one: One, atMs: number): void {
    // It is looked at before, and again then.
    if (atMs >= one.lookAtMs) return;
    one.lookAtMs = atMs;
    const span = spanOf(atMs);
    const there = this.#bySpan.get(span);
    if (there) there.add(one);
    else this.#bySpan.set(span, new Set([one]));
  }

  forget(one: One): void {
    one.lookAtMs = Number.POSITIVE_INFINITY;
  }

  /** Those whose time is over. They are named again until it is later, or they are forgotten. */
  over(nowMs: number): readonly One[] {
    const over: One[] = [];
    for (const one of this.#take(nowMs)) {
      one.lookAtMs = Number.POSITIVE_INFINITY;
      const isOver = one.dueMs < nowMs;
      if (isOver) over.push(one);
      this.expect(one, isOver ? nowMs : one.dueMs);
    }
    return over.sort((one, other) => one.nth - other.nth);
  }

  /** Those whose time may be over, without those who were expected earlier in the meantime, or are gone. */
  #take(nowMs: number): Iterable<One> {
    const taken = new Set<One>();
    for (const [span, some] of this.#bySpan) {
      if (span > spanOf(nowMs)) continue;
      this.#bySpan.delete(span);
      for (const one of some) if (spanOf(one.lookAtMs) === span) taken.add(one);
    }
    return taken;
  }
}
