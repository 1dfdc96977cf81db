// Messages that were refused: each sender and reason is logged once, every one is counted, and nothing else comes of it.
import type { RefusedReason } from './messages.ts';

/** The log names no more senders than this, and then no more. */
const LOGGED_MAX = 1_000;

export interface RefusalSinks {
  readonly count: (reason: RefusedReason) => void;
  readonly log: (facts: Readonly<Record<string, string>>, line: string) => void;
}

export class Refusals {
  readonly #sinks: RefusalSinks;
  readonly #logged = new Set<string>();

  constructor(sinks: RefusalSinks) {
    this.#sinks = sinks;
  }

  /** `sender`: its name, or what is known of it. */
  refuse(reason: RefusedReason, sender: string, why: string): void {
    this.#sinks.count(reason);
    const key = `${reason} ${sender}`;
    if (this.#logged.has(key) || this.#logged.size >= LOGGED_MAX) return;
    this.#logged.add(key);
    this.#sinks.log({ reason, sender }, `a message of the cluster was refused: ${why}`);
  }
}
