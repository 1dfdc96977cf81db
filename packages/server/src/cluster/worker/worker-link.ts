// A worker on the bus: lends its slots, takes windows for them, has them recognised and answers.
import type { ModelId } from '@faircopy/contract';
import type { Clock } from '../../lib/time/clock.ts';
import { deferred } from '../../lib/time/deferred.ts';
import { type Recogniser, RecogniserUnavailable, type SpeechWindow } from '../../speech/recogniser.ts';
import type { Bus } from '../bus.ts';
import {
  type Answer,
  newId,
  RefusedMessage,
  type Release,
  readGatewayState,
  type WorkerState,
  write,
  wrongVersion,
} from '../messages.ts';
import type { Refusals } from '../refusals.ts';
import { GATEWAYS_SUBJECT, gatewaySubject, workerSubject } from '../subjects.ts';
import { BEAT_MS, GATEWAY_SILENT_MS, OWN_LAG_MS, RECALL_AFTER_MS } from '../timing.ts';
import { worksWith } from '../versions.ts';
import { readWorkerMessage, type WindowHead } from '../window-message.ts';
import { CreditBook } from './credit-book.ts';

const GATEWAYS_MAX = 1_024;

export interface WorkerObserver {
  windowEnded(tier: ModelId, outcome: 'done' | 'cancelled' | 'failed', tookMs: number): void;
}

export interface WorkerLinkOptions {
  readonly bus: Bus;
  readonly recogniser: Recogniser;
  readonly tiers: readonly ModelId[];
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  readonly refusals: Refusals;
  readonly observer: WorkerObserver;
}

export class WorkerLink {
  readonly id = newId();
  readonly #options: WorkerLinkOptions;
  readonly #book: CreditBook;
  readonly #stops = new Map<string, AbortController>();
  /** When each gateway was last heard. */
  readonly #heardMs = new Map<string, number>();
  readonly #drained = deferred<void>();
  #beatMs: number;
  #connections = 0;
  #done = 0;
  #isDraining = false;
  #beat: NodeJS.Timeout | undefined;
  #recall: NodeJS.Timeout | undefined;

  constructor(options: WorkerLinkOptions) {
    this.#options = options;
    this.#book = new CreditBook({ workerId: this.id, tiers: options.tiers, slots: options.recogniser.slots });
    this.#beatMs = options.clock.monotonicMs();
  }

  /** Begins to listen and to lend. */
  start(): void {
    const { bus } = this.#options;
    bus.subscribe(workerSubject(this.id), (bytes) => this.#onMessage(bytes));
    bus.subscribe(GATEWAYS_SUBJECT, (bytes) => this.#onGateway(bytes));
    bus.listen({
      onConnected: () => {
        this.#connections += 1;
        this.#tell(this.#book.gateways);
      },
      onDisconnected: () => {},
    });
    if (bus.isConnected) this.#connections = 1;
    this.#beat = setInterval(() => this.#onBeat(), BEAT_MS);
  }

  get version(): string {
    return this.#options.version;
  }

  get figures() {
    return {
      slots: this.#options.recogniser.slots,
      busy: this.#book.busy,
      lent: this.#book.lent,
      gateways: this.#heardMs.size,
      done: this.#done,
    };
  }

  /** Takes nothing new; resolves when everything that it holds is answered. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#book.drain();
    this.#tell(this.#book.gateways);
    this.#lookDrained();
    await this.#drained.promise;
  }

  /** Gives up what is left. */
  close(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#recall);
    for (const stop of this.#stops.values()) stop.abort();
  }

  get #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #onGateway(bytes: Uint8Array): void {
    const { version } = this.#options;
    try {
      const state = readGatewayState(bytes);
      if (!worksWith(version, state.version)) throw wrongVersion('gateway', state, version);
      if (this.#heardMs.size >= GATEWAYS_MAX && !this.#heardMs.has(state.id))
        throw new RefusedMessage('too_many', `there are more than ${GATEWAYS_MAX} gateways`);
      if (state.isLeaving) {
        this.#forget(state.id);
        // Whoever only asks who is there leaves with its first word.
        this.#tell([state.id]);
        return;
      }
      this.#heardMs.set(state.id, this.#nowMs);
      this.#book.hear(state.id, state.want);
      this.#lend();
    } catch (cause) {
      this.#refuse(cause, 'a gateway');
    }
  }

  #onMessage(bytes: Uint8Array): void {
    try {
      const message = readWorkerMessage(bytes);
      const release = 'kind' in message ? message : undefined;
      const head = 'kind' in message ? message : message.head;
      if (!worksWith(this.#options.version, head.version))
        throw new RefusedMessage('version', `it is of version ${head.version}`);
      if (this.#heardMs.has(head.gateway)) this.#heardMs.set(head.gateway, this.#nowMs);
      if (release) this.#release(release);
      else if ('head' in message) this.#take(message.head, message.window);
    } catch (cause) {
      this.#refuse(cause, 'somebody');
    }
  }

  #release({ ids, gateway }: Release): void {
    for (const id of this.#book.release(ids, gateway)) this.#stops.get(id)?.abort();
    this.#lend();
  }

  #take({ credit, id, gateway, want }: WindowHead, window: SpeechWindow): void {
    if (!this.#book.spend(credit, id, gateway, this.#nowMs)) {
      // A credit that was asked back or has lapsed meanwhile; somebody else's credit gets the same answer.
      this.#answer(gateway, id, { failure: { reason: 'refused', message: 'there is no such credit' } });
      return;
    }
    this.#book.hear(gateway, want);
    this.#tell(new Set([gateway, ...this.#book.lend(this.#nowMs)]));
    void this.#recognise(id, gateway, window);
  }

  async #recognise(id: string, gateway: string, window: SpeechWindow): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(id, stop);
    const begunMs = this.#nowMs;
    let result: Answer['result'] | undefined;
    try {
      result = { recognition: await this.#options.recogniser.recognise(window, stop.signal) };
    } catch (cause) {
      if (!stop.signal.aborted) result = { failure: failureOf(cause) };
    }
    this.#stops.delete(id);
    this.#book.end(id, this.#nowMs);
    this.#done += 1;
    const outcome = result === undefined ? 'cancelled' : 'recognition' in result ? 'done' : 'failed';
    this.#options.observer.windowEnded(window.tier, outcome, this.#nowMs - begunMs);
    if (result !== undefined) this.#answer(gateway, id, result);
    this.#tell(new Set([gateway, ...this.#book.lend(this.#nowMs)]));
    this.#recallSoon();
    this.#lookDrained();
  }

  #answer(gateway: string, id: string, result: Answer['result']): void {
    this.#options.bus.publish(gatewaySubject(gateway), write({ kind: 'answer', worker: this.id, id, result }));
  }

  #lend(): void {
    this.#tell(this.#book.lend(this.#nowMs));
    this.#recallSoon();
  }

  #recallSoon(): void {
    if (this.#recall !== undefined || !this.#book.mustRecall) return;
    this.#recall = setTimeout(() => {
      this.#recall = undefined;
      this.#lend();
    }, RECALL_AFTER_MS);
  }

  #onBeat(): void {
    const nowMs = this.#nowMs;
    const lagMs = nowMs - this.#beatMs - BEAT_MS;
    this.#beatMs = nowMs;
    for (const [gateway, heardMs] of this.#heardMs) {
      // After a stop of our own, what gateways said meanwhile is still to be read.
      if (lagMs > OWN_LAG_MS) this.#heardMs.set(gateway, nowMs);
      else if (nowMs - heardMs > GATEWAY_SILENT_MS) this.#forget(gateway);
    }
    this.#book.lend(nowMs);
    this.#tell(this.#book.gateways);
  }

  #forget(gateway: string): void {
    this.#heardMs.delete(gateway);
    for (const id of this.#book.forget(gateway)) this.#stops.get(id)?.abort();
    this.#lend();
  }

  #tell(gateways: Iterable<string>): void {
    const { bus, name, version, tiers, recogniser } = this.#options;
    for (const gateway of gateways) {
      const state: WorkerState = {
        ...{ kind: 'worker', version, id: this.id, name, slots: recogniser.slots, tiers: [...tiers] },
        ...{ busy: this.#book.busy, done: this.#done, isDraining: this.#isDraining, connections: this.#connections },
        ...this.#book.of(gateway),
      };
      bus.publish(gatewaySubject(gateway), write(state));
    }
  }

  #lookDrained(): void {
    if (this.#isDraining && this.#book.busy === 0) this.#drained.resolve();
  }

  #refuse(cause: unknown, sender: string): void {
    if (!(cause instanceof RefusedMessage)) throw cause;
    this.#options.refusals.refuse(cause.reason, cause.sender ?? sender, cause.message);
  }
}

const failureOf = (cause: unknown): { reason: 'unavailable' | 'failed'; message: string } => {
  const { name, message } = cause instanceof Error ? cause : new Error('unknown');
  const reason = cause instanceof RecogniserUnavailable ? 'unavailable' : 'failed';
  return { reason, message: `${name}: ${message}`.slice(0, 2_000) };
};
