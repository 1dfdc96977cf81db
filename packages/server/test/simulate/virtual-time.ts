// Virtual time: runs timers in order, and advances only when every promise of the present has settled.
import type { Clock } from '../../src/lib/time/clock.ts';
import type { Timer, Timers } from '../../src/lib/time/timers.ts';

/** An event that can be stopped: millions are made, so it is its own timer. */
class Event implements Timer {
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

const turn = (): Promise<void> => new Promise(setImmediate);

export class VirtualTime implements Clock, Timers {
  #nowMs = 0;
  /** Moments with events, as a binary heap, and the events of each. */
  readonly #moments: number[] = [];
  readonly #events = new Map<number, Event[]>();
  /** Whether an interval runs now: what is sent meanwhile is a heartbeat. */
  isInterval = false;
  eventCount = 0;

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** Whole milliseconds: events of the same one run together. */
  after(ms: number, run: () => void): Timer {
    const event = new Event(run);
    this.#add(Math.ceil(this.#nowMs + Math.max(0, ms)), event);
    return event;
  }

  every(ms: number, run: () => void): Timer {
    const event = new Event(undefined);
    const tick = () => {
      this.#add(this.#nowMs + ms, event);
      this.isInterval = true;
      run();
      this.isInterval = false;
    };
    event.run = tick;
    this.#add(Math.ceil(this.#nowMs + ms), event);
    return event;
  }

  async run(untilMs: number): Promise<void> {
    for (;;) {
      const atMs = this.#moments[0];
      if (atMs === undefined || atMs > untilMs) break;
      this.#nowMs = atMs;
      const events = this.#events.get(atMs)!;
      // Events may add others for the same moment.
      for (let at = 0; at < events.length; at++) {
        this.eventCount += 1;
        events[at]!.run?.();
        if (at === events.length - 1) await turn();
      }
      this.#events.delete(atMs);
      this.#removeFirst();
    }
    this.#nowMs = untilMs;
  }

  #add(atMs: number, event: Event): void {
    const events = this.#events.get(atMs);
    if (events) {
      events.push(event);
      return;
    }
    this.#events.set(atMs, [event]);
    const heap = this.#moments;
    let at = heap.push(atMs) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= atMs) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = atMs;
  }

  #removeFirst(): void {
    const heap = this.#moments;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1;
      if (heap[child]! >= last) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}
