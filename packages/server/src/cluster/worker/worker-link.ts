// Connects a worker to the bus: lends its slots, recognises windows and answers.
import type { ModelId } from '@faircopy/contract';
import type { Clock } from '../../lib/time/clock.ts';
import { deferred } from '../../lib/time/deferred.ts';
import { systemTimers, type Timer, type Timers } from '../../lib/time/timers.ts';
import type { Recogniser, SpeechWindow } from '../../speech/recogniser.ts';
import type { Bus } from '../bus.ts';
import {
  type Answer,
  type GatewayState,
  incompatibleVersion,
  newId,
  RefusedMessage,
  type Release,
  type WorkerState,
} from '../messages.ts';
import type { Refusals } from '../refusals.ts';
import { GATEWAYS_SUBJECT, workerSubject } from '../subjects.ts';
import { HEARTBEAT_MS, OWN_DELAY_MS, RECALL_AFTER_MS } from '../timing.ts';
import { isCompatible } from '../versions.ts';
import { type Codec, type WindowHead, wireCodec } from '../window-message.ts';
import { CreditBook } from './credit-book.ts';
import { RefusedGateways } from './refused-gateways.ts';
import { RunningWindows, type WorkerObserver } from './running-windows.ts';
import { ServedGateways } from './served-gateways.ts';

/** Time over which the busy share of the slots is averaged. */
const UTILISATION_MS = 30_000;

export interface WorkerLinkOptions {
  readonly bus: Bus;
  readonly recogniser: Recogniser;
  readonly tiers: readonly ModelId[];
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  readonly refusals: Refusals;
  readonly observer: WorkerObserver;
  readonly timers?: Timers;
  readonly newId?: () => string;
}

export class WorkerLink {
  readonly id: string;
  readonly #options: WorkerLinkOptions;
  readonly #codec: Codec;
  readonly #tiers: ModelId[];
  readonly #book: CreditBook;
  readonly #windows: RunningWindows;
  readonly #gateways = new ServedGateways();
  readonly #refused = new RefusedGateways();
  readonly #drained = deferred<void>();
  #utilisation = 0;
  #heartbeatMs: number;
  #connections = 0;
  #isDraining = false;
  readonly #timers: Timers;
  #heartbeat: Timer | undefined;
  #recall: Timer | undefined;

  constructor(options: WorkerLinkOptions) {
    this.#options = options;
    this.#codec = options.bus.codec ?? wireCodec;
    const { tiers, recogniser, newId: idOf = newId, timers = systemTimers } = options;
    this.#timers = timers;
    this.id = idOf();
    this.#tiers = [...tiers];
    this.#book = new CreditBook({ workerId: this.id, tiers, slots: recogniser.slots, newId: idOf });
    this.#windows = new RunningWindows(options);
    this.#heartbeatMs = options.clock.monotonicMs();
  }

  start(): void {
    const { bus } = this.#options;
    bus.subscribe(workerSubject(this.id), (bytes) => this.#onMessage(bytes));
    bus.subscribe(GATEWAYS_SUBJECT, (bytes) => this.#onGateway(bytes));
    bus.listen({
      onConnected: () => {
        this.#connections += 1;
        this.#sendState(this.#book.gateways);
      },
      onDisconnected: () => {},
    });
    if (bus.isConnected) this.#connections = 1;
    this.#options.recogniser.onBroken?.(() => this.#onBroken());
    this.#heartbeat = this.#timers.every(HEARTBEAT_MS, () => this.#onHeartbeat());
  }

  get version(): string {
    return this.#options.version;
  }

  get figures() {
    return {
      slots: this.#options.recogniser.slots,
      busy: this.#book.busy,
      utilisation: this.#utilisation,
      lent: this.#book.lent,
      gateways: this.#gateways.size,
      done: this.#windows.done,
    };
  }

  /** Why no gateway can use this worker; null when one can, or when there is no gateway. */
  get refusal(): string | null {
    return this.#gateways.size > 0 ? null : this.#refused.reason(this.version, this.#nowMs);
  }

  /** Takes no new windows; resolves when all current ones are answered. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#book.drain();
    this.#sendState(this.#book.gateways);
    this.#checkDrained();
    await this.#drained.promise;
  }

  /** Stops all windows. */
  close(): void {
    this.#heartbeat?.stop();
    this.#recall?.stop();
    this.#windows.stopAll();
  }

  /** Lends nothing while no recogniser works: windows would fail at once, and this worker would always be free. */
  #onBroken(): void {
    if (this.#isDraining) return;
    if (this.#options.recogniser.isBroken) this.#book.drain();
    else this.#book.resume();
    this.#book.lend(this.#nowMs);
    this.#sendState(this.#book.gateways);
  }

  get #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #onGateway(bytes: Uint8Array): void {
    try {
      this.#onState(this.#codec.readGatewayState(bytes));
    } catch (cause) {
      this.#options.refusals.handle(cause, 'a gateway');
    }
  }

  #onState(state: GatewayState): void {
    const { version } = this.#options;
    if (!isCompatible(version, state.version)) {
      if (this.#refused.note(state, this.#nowMs)) this.#sendState([state.id]);
      throw incompatibleVersion('gateway', state, version);
    }
    const isNew = !this.#gateways.has(state.id);
    if (isNew && this.#gateways.isFull) this.#makeRoom();
    if (state.isLeaving) {
      this.#forget(state.id);
      // Also answers tools that only list the members, which announce themselves as leaving gateways.
      this.#sendState([state.id]);
      return;
    }
    this.#gateways.noteHeartbeat(state, this.#nowMs);
    this.#book.workers = this.#gateways.workers;
    this.#book.update(state.id, state);
    this.#lend();
    // Makes the worker known to the gateway, even if it lends nothing.
    if (isNew) this.#sendState(this.#gateways.withoutState());
  }

  #makeRoom(): void {
    const { idler } = this.#book;
    if (idler === undefined)
      throw new RefusedMessage('too_many', `there are more than ${this.#gateways.size} gateways`);
    this.#forget(idler);
  }

  #onMessage(bytes: Uint8Array): void {
    try {
      const message = this.#codec.readWorkerMessage(bytes);
      if ('kind' in message && message.kind === 'gateway') {
        this.#onState(message);
        return;
      }
      const release = 'kind' in message ? message : undefined;
      const head = 'kind' in message ? message : message.head;
      if (!isCompatible(this.#options.version, head.version))
        throw new RefusedMessage('version', `it has version ${head.version}`);
      this.#gateways.markSeen(head.gateway, this.#nowMs);
      if (release) this.#release(release);
      else if ('head' in message) this.#take(message.head, message.window);
    } catch (cause) {
      this.#options.refusals.handle(cause, 'unknown');
    }
  }

  #release({ ids, gateway }: Release): void {
    this.#windows.stop(this.#book.release(ids, gateway));
    this.#lend();
  }

  #take({ credit, id, gateway, ...waits }: WindowHead, window: SpeechWindow): void {
    if (!this.#book.spend(credit, id, gateway, this.#nowMs)) {
      // The credit was recalled or has expired, or belongs to another gateway.
      this.#answer(gateway, id, { failure: { reason: 'refused', message: 'unknown credit' } });
      return;
    }
    this.#book.update(gateway, waits);
    this.#sendState(including(gateway, this.#book.lend(this.#nowMs)));
    void this.#recognise(id, gateway, window);
  }

  async #recognise(id: string, gateway: string, window: SpeechWindow): Promise<void> {
    const result = await this.#windows.run(id, window);
    this.#book.end(id, this.#nowMs);
    if (result !== undefined) this.#answer(gateway, id, result);
    this.#sendState(including(gateway, this.#book.lend(this.#nowMs)));
    this.#recallSoon();
    this.#checkDrained();
  }

  #answer(gateway: string, id: string, result: Answer['result']): void {
    this.#options.bus.publish(
      this.#gateways.subjectOf(gateway),
      this.#codec.write({ kind: 'answer', worker: this.id, id, result }),
    );
  }

  #lend(): void {
    this.#sendState(this.#book.lend(this.#nowMs));
    this.#recallSoon();
  }

  #recallSoon(): void {
    if (this.#recall !== undefined || !this.#book.mustRecall) return;
    this.#recall = this.#timers.after(RECALL_AFTER_MS, () => {
      this.#recall = undefined;
      this.#lend();
    });
  }

  #onHeartbeat(): void {
    const nowMs = this.#nowMs;
    const tookMs = nowMs - this.#heartbeatMs;
    const lagMs = tookMs - HEARTBEAT_MS;
    this.#heartbeatMs = nowMs;
    const busyShare = this.#book.busy / this.#options.recogniser.slots;
    this.#utilisation += (busyShare - this.#utilisation) * (1 - Math.exp(-tookMs / UTILISATION_MS));
    // After a delay of this process, messages that arrived in the meantime are still unread.
    if (lagMs > OWN_DELAY_MS) this.#gateways.markAllSeen(nowMs);
    else for (const gateway of this.#gateways.silent(nowMs)) this.#forget(gateway);
    const changed = this.#book.lend(nowMs);
    const due = this.#gateways.due(nowMs);
    this.#sendState(changed.size === 0 ? due : new Set([...changed, ...due]));
  }

  #forget(gateway: string): void {
    this.#gateways.forget(gateway);
    this.#windows.stop(this.#book.forget(gateway));
    this.#lend();
  }

  #sendState(gateways: Iterable<string>): void {
    const { bus, name, version, recogniser } = this.#options;
    const nowMs = this.#nowMs;
    for (const gateway of gateways) {
      const held = this.#book.of(gateway);
      const state: WorkerState = {
        kind: 'worker',
        version,
        id: this.id,
        name,
        tiers: this.#tiers,
        slots: recogniser.slots,
        busy: this.#book.busy,
        done: this.#windows.done,
        speeds: this.#windows.speeds,
        isDraining: this.#isDraining || (recogniser.isBroken ?? false),
        connections: this.#connections,
        ...held,
        nextMs: this.#gateways.noteSent(gateway, held, nowMs),
      };
      bus.publish(this.#gateways.subjectOf(gateway), this.#codec.write(state));
    }
  }

  #checkDrained(): void {
    if (this.#isDraining && this.#book.busy === 0) this.#drained.resolve();
  }
}

const including = (gateway: string, others: ReadonlySet<string>): Iterable<string> =>
  others.size === 0 ? [gateway] : new Set([gateway, ...others]);
