// Logs workers that join, leave or are lost: one line each, up to a limit per minute.
import type { WorkerState } from '../messages.ts';
import type { WorkerChange } from './gateway-observer.ts';

/** A broken worker may join and leave endlessly. */
const LINES_MAX = 50;
const SPAN_MS = 60_000;

const LINES: Record<WorkerChange, string> = {
  joined: 'a worker joined',
  leaving: 'a worker is leaving',
  lost: 'a worker was lost: it stopped sending messages',
};

type LogLine = (facts: Readonly<Record<string, unknown>>, line: string) => void;

export class WorkerLog {
  readonly #log: { readonly info: LogLine; readonly warn: LogLine };
  readonly #nowMs: () => number;
  #spanStartMs = Number.NEGATIVE_INFINITY;
  #lines = 0;
  #omitted = 0;

  constructor(log: { readonly info: LogLine; readonly warn: LogLine }, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  note({ name, version, tiers, slots }: WorkerState, change: WorkerChange): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#spanStartMs >= SPAN_MS) {
      this.#spanStartMs = nowMs;
      this.#lines = 0;
    }
    if (this.#lines >= LINES_MAX) {
      this.#omitted += 1;
      return;
    }
    this.#lines += 1;
    const omitted = this.#omitted === 0 ? {} : { omitted: this.#omitted };
    this.#omitted = 0;
    this.#log[change === 'lost' ? 'warn' : 'info']({ worker: name, version, tiers, slots, ...omitted }, LINES[change]);
  }
}
