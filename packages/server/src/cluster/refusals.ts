// Counts all refused messages, and logs one per sender and reason.
import { RefusedMessage, type RefusedReason } from './messages.ts';

/** Limit on logged senders. */
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

  /** Counts and logs a refused message; rethrows any other error. `unnamed` stands in for a missing sender name. */
  handle(cause: unknown, unnamed: string): void {
    if (!(cause instanceof RefusedMessage)) throw cause;
    const { reason, message, sender = unnamed } = cause;
    this.#sinks.count(reason);
    const key = `${reason} ${sender}`;
    if (this.#logged.has(key) || this.#logged.size >= LOGGED_MAX) return;
    this.#logged.add(key);
    this.#sinks.log({ reason, sender }, `a cluster message was refused: ${message}`);
  }
}
