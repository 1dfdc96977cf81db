// Recognises the windows that a worker holds, each until it ends or is stopped.
import type { ModelId } from '@faircopy/contract';
import type { Clock } from '../../lib/time/clock.ts';
import type { Recogniser, SpeechWindow } from '../../speech/recogniser.ts';
import type { Answer } from '../messages.ts';
import { failureOf } from './window-failure.ts';
import { WindowSpeeds } from './window-speeds.ts';

export interface WorkerObserver {
  windowEnded(tier: ModelId, outcome: 'done' | 'cancelled' | 'failed', tookMs: number): void;
}

interface RunningWindowsOptions {
  readonly recogniser: Recogniser;
  readonly clock: Clock;
  readonly observer: WorkerObserver;
}

export class RunningWindows {
  readonly #options: RunningWindowsOptions;
  readonly #stops = new Map<string, AbortController>();
  readonly #speeds = new WindowSpeeds();
  /** Windows that have ended. */
  done = 0;

  constructor(options: RunningWindowsOptions) {
    this.#options = options;
  }

  get speeds(): WindowSpeeds['byTier'] {
    return this.#speeds.byTier;
  }

  /** Resolves to undefined when the window was stopped. */
  async run(id: string, window: SpeechWindow): Promise<Answer['result'] | undefined> {
    const { recogniser, clock, observer } = this.#options;
    const stop = new AbortController();
    this.#stops.set(id, stop);
    const begunMs = clock.monotonicMs();
    let result: Answer['result'] | undefined;
    try {
      result = { recognition: await recogniser.recognise(window, stop.signal) };
    } catch (cause) {
      if (!stop.signal.aborted) result = { failure: failureOf(cause) };
    }
    this.#stops.delete(id);
    this.done += 1;
    const outcome = result === undefined ? 'cancelled' : 'recognition' in result ? 'done' : 'failed';
    const tookMs = clock.monotonicMs() - begunMs;
    if (outcome === 'done') this.#speeds.add(window.tier, window.samples.length, tookMs);
    observer.windowEnded(window.tier, outcome, tookMs);
    return result;
  }

  stop(ids: Iterable<string>): void {
    for (const id of ids) this.#stops.get(id)?.abort();
  }

  stopAll(): void {
    this.stop([...this.#stops.keys()]);
  }
}
