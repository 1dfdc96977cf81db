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
  type GatewayState,
  incompatibleVersion,
  newId,
  RefusedMessage,
  type Waits,
  type Want,
  type WorkerState,
} from '../messages.ts';
import type { Refusals } from '../refusals.ts';
import { GATEWAYS_SUBJECT, gatewaySubject } from '../subjects.ts';
import { HEARTBEAT_MS, LATE_MS, OWN_DELAY_MS } from '../timing.ts';
import { isCompatible } from '../versions.ts';
import { type Codec, wireCodec } from '../window-message.ts';
import { Announcements } from './announcements.ts';
import type { GatewayObserver } from './gateway-observer.ts';
import { KnownGateways } from './known-gateways.ts';
import type { KnownWorker } from './known-worker.ts';
import { KnownWorkers } from './known-workers.ts';
import { LeaseEnds } from './lease-ends.ts';

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
  /** The worker that a window was sent to. */
  readonly #holders = new WeakMap<SpeechWindow, KnownWorker>();
  readonly #gateways = new KnownGateways();
  readonly #announcements: Announcements;
  readonly #ends: LeaseEnds;
  readonly #listeners: (() => void)[] = [];
  #waiting: WaitingWindows = new Map();
  #background: WaitingWindows = new Map();
  #sweptMs: number;
  #timers: Timer[] = [];
  #isClosed = false;

  constructor(options: RemotePoolOptions) {
    this.#options = options;
    this.#codec = options.bus.codec ?? wireCodec;
    this.#newId = options.newId ?? newId;
    this.id = this.#newId();
    this.#announcements = new Announcements({ ...options, workers: this.#workers, state: () => this.state });
    this.#ends = new LeaseEnds({
      workers: this.#workers,
      observer: options.observer,
      nowMs: () => this.#nowMs,
      release: (worker, ids) => this.#release(worker, ids),
    });
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

  couldReplace(running: SpeechWindow, tier: ModelId): boolean {
    return this.#holders.get(running)?.serves(tier, this.#nowMs) ?? false;
  }

  get isContended(): boolean {
    return this.#gateways.areWaiting;
  }

  setWaiting(waiting: WaitingWindows, background: WaitingWindows): void {
    this.#waiting = waiting;
    this.#background = background;
    this.#announcements.windowsWait(this.#waits());
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
      ...this.#waits(),
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
    this.#holders.set(window, worker);
    const id = this.#newId();
    const recognition = worker.openLease({ id, credit, sentMs: this.#nowMs }, signal, () =>
      this.#release(worker, [id]),
    );
    const head = { version, gateway: this.id, credit, id, ...this.#waits() };
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

  #waits(): Waits {
    let hasBackground = false;
    for (const count of this.#background.values()) hasBackground ||= count > 0;
    return { want: wantOf(this.#waiting), ...(hasBackground && { background: wantOf(this.#background) }) };
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
      else this.#ends.answered(message);
    } catch (cause) {
      this.#options.refusals.handle(cause, 'a worker');
      this.#ends.unreadable(this.#codec.beginningOf(bytes));
    }
  }

  #onState(state: WorkerState): void {
    const { version } = this.#options;
    if (!isCompatible(version, state.version)) throw incompatibleVersion('worker', state, version);
    if (state.credits.length + state.leases.length > state.slots)
      throw new RefusedMessage('invalid', `the worker ${state.name} lends more than its slots`, state.name);
    const known = this.#workers.get(state.id);
    // A worker whose recognisers are broken counts as leaving until they work again.
    const wasLeaving = known?.state.isDraining ?? true;
    const worker = known ?? this.#workers.add(state, this.#nowMs);
    if (!known || state.isDraining !== wasLeaving)
      this.#options.observer.workerChanged(state, known && state.isDraining ? 'leaving' : 'joined');
    const { lost, unwanted } = worker.update(state, this.#nowMs);
    for (const lease of lost) this.#ends.lose(lease, 'not_listed', true);
    if (unwanted.length > 0) this.#release(worker, unwanted);
    if (worker.credits > 0 || lost.length > 0) this.#changed();
    if (worker.credits > 0) this.#announcements.creditsUnused(state);
  }

  #release(worker: KnownWorker, ids: readonly string[]): void {
    const { bus, version } = this.#options;
    bus.publish(worker.subject, this.#codec.write({ kind: 'release', version, gateway: this.id, ids: [...ids] }));
  }

  #onDisconnected(): void {
    for (const worker of this.#workers.all) {
      worker.dropCredits();
      for (const lease of [...worker.leases.values()])
        if (!lease.isConfirmed) this.#ends.lose(lease, 'disconnected', true);
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
        this.#ends.lose(lease, isSilent ? 'silent' : 'not_received', true);
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

const wantOf = (waiting: WaitingWindows): Want => {
  const want: Partial<Record<ModelId, number>> = {};
  for (const tier of MODEL_IDS) want[tier] = waiting.get(tier) ?? 0;
  return want;
};
