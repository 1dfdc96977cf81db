// Virtual time: runs timers in order, and advances only when every promise of the current moment has settled.
import type { Clock } from '../../src/lib/time/clock.ts';
import type { Timer, Timers } from '../../src/lib/time/timers.ts';

/** An event at a moment. */
export interface Happening {
  run: (() => void) | undefined;
}

/** An event that can be stopped. It is its own timer, because millions are created. */
class Event implements Happening, Timer {
  run: (() => void) | undefined;

  constructor(run: (() => void) | undefined) {
    this.run = run;
  }

  stop(): void {
    this.run = undefined;
  }

  unref(): Timer {
    return this;
  }
}

/** Number of near moments, a power of two: most events are within a second, nearly all within a minute. */
const NEAR_MOMENTS = 2 ** 16;
/** Moments between two turns of the event loop. */
const MOMENTS_AT_ONCE = 1_000;

/** `nextTick` runs after all settled promises, and costs less than a turn of the event loop. */
const tick = (resolve: () => void): void => process.nextTick(resolve);

export class VirtualTime implements Clock, Timers {
  #nowMs = 0;
  /** The events of the near moments, which are whole milliseconds, in a ring buffer. */
  readonly #near: (Happening[] | undefined)[] = new Array(NEAR_MOMENTS).fill(undefined);
  #nearUntilMs = NEAR_MOMENTS;
  /** The events of later moments. */
  readonly #far = new Map<number, Happening[]>();
  /** Whether an interval is running: what it sends counts as a heartbeat. */
  isInterval = false;
  eventCount = 0;

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): Timer {
    const event = new Event(run);
    this.add(ms, event);
    return event;
  }

  /** Rounds up to whole milliseconds, so that events of the same one run together. */
  add(afterMs: number, event: Happening): void {
    this.#add(Math.ceil(this.#nowMs + (afterMs > 0 ? afterMs : 0)), event);
  }

  every(ms: number, run: () => void): Timer {
    const event = new Event(undefined);
    const beat = () => {
      this.#add(this.#nowMs + ms, event);
      this.isInterval = true;
      run();
      this.isInterval = false;
    };
    event.run = beat;
    this.#add(Math.ceil(this.#nowMs + ms), event);
    return event;
  }

  async run(untilMs: number): Promise<void> {
    let moments = 0;
    for (let atMs = this.#nowMs; atMs <= untilMs; atMs++) {
      if (atMs >= this.#nearUntilMs - NEAR_MOMENTS / 2) this.#approach();
      const events = this.#near[atMs % NEAR_MOMENTS];
      if (!events) continue;
      this.#nowMs = atMs;
      // Events may add others for the same moment.
      for (let at = 0; at < events.length; at++) {
        this.eventCount += 1;
        events[at]!.run?.();
        if (at < events.length - 1) continue;
        if (++moments % MOMENTS_AT_ONCE === 0) await new Promise(setImmediate);
        else await new Promise<void>(tick);
      }
      this.#near[atMs % NEAR_MOMENTS] = undefined;
    }
    this.#nowMs = untilMs;
  }

  #add(atMs: number, event: Happening): void {
    if (atMs < this.#nearUntilMs) {
      const events = this.#near[atMs % NEAR_MOMENTS];
      if (events) events.push(event);
      else this.#near[atMs % NEAR_MOMENTS] = [event];
      return;
    }
    const events = this.#far.get(atMs);
    if (events) events.push(event);
    else this.#far.set(atMs, [event]);
  }

  /** Half of the near moments are over: moves the ring buffer on by that half. */
  #approach(): void {
    this.#nearUntilMs += NEAR_MOMENTS / 2;
    for (const [atMs, events] of this.#far) {
      if (atMs >= this.#nearUntilMs) continue;
      this.#near[atMs % NEAR_MOMENTS] = events;
      this.#far.delete(atMs);
    }
  }
}
