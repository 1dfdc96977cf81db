// Recognises a tier on an OpenAI-compatible server, with a time limit, one retry and a circuit breaker.
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../lib/time/clock.ts';
import { nearestListed, withinLanguages } from '../language/listed-languages.ts';
import {
  type Capacity,
  type Recogniser,
  RecogniserUnavailable,
  type Recognition,
  type SpeechWindow,
  type TierId,
  WindowLost,
} from '../recogniser.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { RemoteTierSettings } from './settings.ts';
import { readAnswer } from './transcription-answer.ts';
import { askRemote, RemoteFault } from './transcription-request.ts';

/** Failures before the circuit opens when there is no fallback. */
const FAILURES_MAX = 3;
const RETRY_MS = 200;

export interface RemoteTierObserver {
  answered(tier: TierId, outcome: 'done' | 'failed' | 'cancelled'): void;
  /** The circuit breaker opened or closed. */
  circuit(tier: TierId, state: 'open' | 'closed', why: string): void;
}

interface RemoteTierOptions {
  readonly tier: TierId;
  readonly settings: RemoteTierSettings;
  readonly clock: Clock;
  readonly observer: RemoteTierObserver;
}

export class RemoteTier implements Recogniser, Capacity {
  readonly tier: TierId;
  readonly settings: RemoteTierSettings;
  readonly isContended = false;
  readonly #clock: Clock;
  readonly #observer: RemoteTierObserver;
  readonly #breaker: CircuitBreaker;
  readonly #listeners: (() => void)[] = [];
  /** One per running window; aborted when the tier is closed. */
  readonly #running = new Set<AbortController>();
  #isClosed = false;
  #wake: NodeJS.Timeout | undefined;

  constructor({ tier, settings, clock, observer }: RemoteTierOptions) {
    this.tier = tier;
    this.settings = settings;
    this.#clock = clock;
    this.#observer = observer;
    // With a fallback, open at the first failure.
    this.#breaker = new CircuitBreaker(settings.fallback ? 1 : FAILURES_MAX);
  }

  get capacity(): Capacity {
    return this;
  }

  get slots(): number {
    return this.settings.slots;
  }

  freeSlots(tier: TierId): number {
    const state = this.#state;
    if (tier !== this.tier || state === 'open') return 0;
    return Math.max(0, (state === 'trying' ? 1 : this.slots) - this.#running.size);
  }

  serves(tier: TierId): boolean {
    return tier === this.tier && this.#state !== 'open';
  }

  couldReplace(_: SpeechWindow, tier: TierId): boolean {
    return tier === this.tier;
  }

  setWaiting(): void {}

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Whether the server supports the window's language or, while that is undecided, one of the listed languages. */
  takes({ language, languages }: SpeechWindow): boolean {
    const possible = language === null ? languages : [language];
    return possible?.some((each) => this.settings.languages?.includes(each) ?? true) ?? true;
  }

  async recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    const stop = new AbortController();
    this.#running.add(stop);
    if (this.#isClosed) stop.abort();
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      const recognition = await this.#inListed(window, either);
      if (this.#state !== 'closed') this.#observer.circuit(this.tier, 'closed', 'it works again');
      this.#breaker.succeeded();
      this.#observer.answered(this.tier, 'done');
      return recognition;
    } catch (cause) {
      this.#observer.answered(this.tier, either.aborted ? 'cancelled' : 'failed');
      if (signal.aborted) throw signal.reason;
      if (this.#isClosed) throw new RecogniserUnavailable('The recogniser is closed.');
      if (!(cause instanceof RemoteFault)) throw cause;
      throw this.#unavailable(cause);
    } finally {
      this.#running.delete(stop);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#wake);
    this.#isClosed = true;
    for (const stop of this.#running) stop.abort();
  }

  get #state(): ReturnType<CircuitBreaker['state']> {
    return this.#breaker.state(this.#clock.monotonicMs());
  }

  /** Asks again with a listed language if the answer is in an unlisted one. */
  async #inListed(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    const recognition = await this.#tryTwice(window, signal);
    const language = await nearestListed(recognition, window);
    if (language === null) return recognition;
    return withinLanguages(await this.#tryTwice({ ...window, language }, signal), { ...window, languages: [language] });
  }

  async #tryTwice(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    try {
      return await readAnswer(await askRemote(window, this.settings, signal), window);
    } catch (cause) {
      if (!(cause instanceof RemoteFault) || cause.recovery !== 'immediate') throw cause;
      await wait(Math.max(RETRY_MS, cause.retryAfterMs), undefined, { signal });
    }
    return await readAnswer(await askRemote(window, this.settings, signal), window);
  }

  #unavailable(fault: RemoteFault): RecogniserUnavailable {
    const message = `The server of ${this.tier} failed: ${fault.message}`;
    const openMs = this.#breaker.failed(this.#clock.monotonicMs(), fault.recovery === 'never');
    if (openMs > 0) {
      this.#observer.circuit(this.tier, 'open', fault.message);
      this.#wake = setTimeout(() => {
        for (const listener of this.#listeners) listener();
      }, openMs + 1);
      this.#wake.unref();
    }
    const mayHelp = fault.recovery === 'immediate' || fault.recovery === 'later' || this.settings.fallback;
    return mayHelp ? new WindowLost(message, { wasBegun: true }) : new RecogniserUnavailable(message);
  }
}
