// Presents all workers as one recogniser: spends the credits they lend, and reports lost windows.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Clock } from '../../lib/time/clock.ts';
import { systemTimers, type Timer, type Timers } from '../../lib/time/timers.ts';
import { withinLanguages } from '../../speech/language/listed-languages.ts';
import {
  type Capacity,
  type Recogniser,
  RecogniserUnavailable,
  type Recognition,
  type SpeechWindow,
  type WaitingWindows,
  WindowLost,
} from '../../speech/recogniser.ts';
import type { Bus } from '../bus.ts';
import {
  type Answer,
  type GatewayState,
  incompatibleVersion,
  newId,
  RefusedMessage,
  type Want,
  type WorkerState,
} from '../messages.ts';
import type { Refusals } from '../refusals.ts';
import { GATEWAYS_SUBJECT, gatewaySubject } from '../subjects.ts';
import { HEARTBEAT_MS, LATE_MS, OWN_DELAY_MS } from '../timing.ts';
import { isCompatible } from '../versions.ts';
import { type Codec, wireCodec } from '../window-message.ts';
import { Announcements } from './announcements.ts';
import type { GatewayObserver, LossReason } from './gateway-observer.ts';
import { KnownGateways } from './known-gateways.ts';
import type { KnownWorker, Lease } from './known-worker.ts';
import { KnownWorkers } from './known-workers.ts';

const SWEEP_MS = 250;

export interface RemotePoolOptions {
  readonly bus: Bus;
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  readonly refusals: Refusals;
  readonly observer: GatewayObserver;
  readonly timers?: Timers;
  readonly newId?: () => string;
}

export class RemotePool implements Recogniser, Capacity {
  readonly id: string;
  readonly #newId: () => string;
  readonly #options: RemotePoolOptions;
  readonly #codec: Codec;
  readonly #workers = new KnownWorkers();
  readonly #gateways = new KnownGateways();
  readonly #announcements: Announcements;
  readonly #listeners: (() => void)[] = [];
  #waiting: WaitingWindows = new Map();
  #sweptMs: number;
  #timers: Timer[] = [];
  #isClosed = false;

  constructor(options: RemotePoolOptions) {
    this.#options = options;
    this.#codec = options.bus.codec ?? wireCodec;
    this.#newId = options.newId ?? newId;
    this.id = this.#newId();
    this.#announcements = new Announcements({ ...options, workers: this.#workers, state: () => this.state });
    this.#sweptMs = options.clock.monotonicMs();
  }

  /** Shared slots: free ones depend on the credits that workers lend. */
  get capacity(): Capacity {
    return this;
  }

  freeSlots(tier: ModelId): number {
    if (!this.#options.bus.isConnected || this.#isClosed) return 0;
    return this.#workers.totals.free(tier);
  }

  serves(tier: ModelId): boolean {
    return this.#workers.serve(tier, this.#nowMs);
  }

  get isContended(): boolean {
    return this.#gateways.areWaiting;
  }

  setWaiting(waiting: WaitingWindows): void {
    this.#waiting = waiting;
    this.#announcements.windowsWait(this.#want());
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  start(): void {
    const { bus, timers = systemTimers } = this.#options;
    bus.subscribe(gatewaySubject(this.id), (bytes) => this.#onMessage(bytes));
    bus.subscribe(GATEWAYS_SUBJECT, (bytes) => this.#onGateway(bytes));
    bus.listen({ onConnected: () => this.#announcements.announce(), onDisconnected: () => this.#onDisconnected() });
    this.#announcements.announce();
    this.#timers = [
      timers.every(HEARTBEAT_MS, () => this.#announcements.heartbeat()),
      timers.every(SWEEP_MS, () => this.#sweep()),
    ];
  }

  /** This gateway's share of all slots: at least those it holds, and those it uses plus half of the unneeded ones. */
  get slots(): number {
    const { slots, credits, running } = this.#workers.totals;
    const { active, demand } = this.#gateways;
    const unneeded = slots - running - demand;
    return Math.max(Math.ceil(slots / (active + 1)), credits + running, running + Math.ceil(unneeded / 2));
  }

  get credits(): number {
    return this.#workers.totals.credits;
  }

  get running(): number {
    return this.#workers.totals.running;
  }

  get workers(): readonly KnownWorker[] {
    return this.#workers.all;
  }

  isDistrusted(worker: KnownWorker): boolean {
    return worker.isDistrusted(this.#nowMs);
  }

  get otherGateways(): readonly GatewayState[] {
    return this.#gateways.states;
  }

  get state(): GatewayState {
    const { name, version } = this.#options;
    return {
      kind: 'gateway',
      version,
      id: this.id,
      name,
      want: this.#want(),
      running: this.running,
      slots: this.slots,
      workers: this.#workers.size,
      isLeaving: this.#isClosed,
      lateMs: LATE_MS,
    };
  }

  recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const worker = this.#workers.freest(window.tier, this.#nowMs);
    const credit = this.#options.bus.isConnected && !this.#isClosed ? worker?.spend() : undefined;
    if (!worker || credit === undefined)
      return Promise.reject(new WindowLost('No worker has a free slot.', { wasBegun: false }));
    const { version, bus } = this.#options;
    const id = this.#newId();
    const recognition = worker.openLease({ id, credit, sentMs: this.#nowMs }, signal, () =>
      this.#release(worker, [id]),
    );
    const head = { version, gateway: this.id, credit, id, want: this.#want() };
    bus.publish(worker.subject, this.#codec.writeWindow(head, window));
    return recognition.then((answer) => withinLanguages(answer, window));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#timers) timer.stop();
    for (const { leases } of this.#workers.all)
      for (const lease of [...leases.values()])
        lease.finish({ error: new RecogniserUnavailable('The connection to the workers is closed.') });
    // Let workers lend to other gateways at once.
    this.#announcements.announce();
  }

  get #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #want(): Want {
    const want: Partial<Record<ModelId, number>> = {};
    for (const tier of MODEL_IDS) want[tier] = this.#waiting.get(tier) ?? 0;
    return want;
  }

  #onGateway(bytes: Uint8Array): void {
    try {
      const state = this.#codec.readGatewayState(bytes);
      if (state.id === this.id) return;
      // Tools that only list the members announce themselves as leaving gateways.
      if (state.isLeaving) this.#announcements.announceSoon();
      if (this.#gateways.update(state, this.#nowMs)) this.#announcements.workerJoined();
    } catch (cause) {
      this.#options.refusals.handle(cause, 'a gateway');
    }
  }

  #onMessage(bytes: Uint8Array): void {
    try {
      const message = this.#codec.readToGateway(bytes);
      if (message.kind === 'worker') this.#onState(message);
      else this.#onAnswer(message);
    } catch (cause) {
      this.#options.refusals.handle(cause, 'a worker');
      this.#dropUnreadable(bytes);
    }
  }

  #onState(state: WorkerState): void {
    const { version } = this.#options;
    if (!isCompatible(version, state.version)) throw incompatibleVersion('worker', state, version);
    if (state.credits.length + state.leases.length > state.slots)
      throw new RefusedMessage('invalid', `the worker ${state.name} lends more than its slots`, state.name);
    const known = this.#workers.get(state.id);
    if (state.isDraining && known?.state.isDraining === false) this.#options.observer.workerChanged(state, 'leaving');
    const worker = known ?? this.#workers.add(state, this.#nowMs);
    if (!known) this.#options.observer.workerChanged(state, 'joined');
    const { lost, unwanted } = worker.update(state, this.#nowMs);
    for (const lease of lost) this.#lose(lease, 'not_listed', true);
    if (unwanted.length > 0) this.#release(worker, unwanted);
    if (worker.credits > 0 || lost.length > 0) this.#changed();
    if (worker.credits > 0) this.#announcements.creditsUnused(state);
  }

  #onAnswer({ id, worker: workerId, result }: Answer): void {
    const worker = this.#workers.get(workerId);
    const lease = worker?.leases.get(id);
    // A late answer for a lost or cancelled window, or a forged one.
    if (!worker || !lease)
      throw new RefusedMessage('unknown_lease', 'it answers an unknown window', worker?.state.name);
    if ('recognition' in result) {
      worker.windows += 1;
      worker.trust();
      this.#options.observer.windowDone(worker.state.name, this.#nowMs - lease.sentMs);
      lease.finish({ recognition: result.recognition });
    } else if (result.failure.reason === 'failed') lease.finish({ error: new Error(result.failure.message) });
    else this.#lose(lease, result.failure.reason, result.failure.reason !== 'refused');
  }

  /** A worker that answers a window with an unreadable message gets no windows for a while. */
  #dropUnreadable(bytes: Uint8Array): void {
    for (const { worker, lease } of this.#workers.leasesNamedIn(this.#codec.beginningOf(bytes))) {
      worker.distrust(this.#nowMs);
      this.#release(worker, [lease.id]);
      this.#lose(lease, 'invalid_answer', true);
    }
  }

  #lose(lease: Lease, reason: LossReason, wasBegun: boolean): void {
    this.#options.observer.windowLost(reason);
    lease.finish({ error: new WindowLost(`The worker lost the window: ${reason}.`, { wasBegun }) });
  }

  #release(worker: KnownWorker, ids: readonly string[]): void {
    const { bus, version } = this.#options;
    bus.publish(worker.subject, this.#codec.write({ kind: 'release', version, gateway: this.id, ids: [...ids] }));
  }

  #onDisconnected(): void {
    for (const worker of this.#workers.all) {
      worker.dropCredits();
      for (const lease of [...worker.leases.values()]) if (!lease.isConfirmed) this.#lose(lease, 'disconnected', true);
    }
    this.#changed();
  }

  #sweep(): void {
    const nowMs = this.#nowMs;
    const lagMs = nowMs - this.#sweptMs - SWEEP_MS;
    this.#sweptMs = nowMs;
    // After a delay of this process, messages that arrived in the meantime are still unread.
    if (lagMs > OWN_DELAY_MS) {
      for (const worker of this.#workers.all) worker.lastSeenMs = nowMs;
      this.#gateways.markAllSeen(nowMs);
      return;
    }
    this.#gateways.dropSilent(nowMs);
    for (const worker of this.#workers.overdue(nowMs)) {
      const isSilent = worker.isSilent(nowMs);
      for (const lease of worker.overdue(nowMs)) {
        this.#release(worker, [lease.id]);
        this.#lose(lease, isSilent ? 'silent' : 'not_received', true);
      }
      if (!isSilent) continue;
      this.#workers.drop(worker);
      if (!worker.state.isDraining) this.#options.observer.workerChanged(worker.state, 'lost');
    }
    this.#changed();
  }

  #changed(): void {
    if (!this.#isClosed) for (const listener of this.#listeners) listener();
  }
}
