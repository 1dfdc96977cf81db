// The recognisers of all workers as one recogniser: spends the credits they lend, and gives windows back that are lost.
import { MODEL_IDS, type ModelId } from '@faircopy/contract';
import type { Clock } from '../../lib/time/clock.ts';
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
  newId,
  RefusedMessage,
  readGatewayState,
  readToGateway,
  type Want,
  type WorkerState,
  write,
  wrongVersion,
} from '../messages.ts';
import type { Refusals } from '../refusals.ts';
import { GATEWAYS_SUBJECT, gatewaySubject, workerSubject } from '../subjects.ts';
import { BEAT_MS, GATEWAY_SILENT_MS, OWN_LAG_MS } from '../timing.ts';
import { worksWith } from '../versions.ts';
import { writeWindow } from '../window-message.ts';
import { KnownWorker, type Lease } from './known-worker.ts';

const WORKERS_MAX = 4_096;
const GATEWAYS_MAX = 1_024;
const SWEEP_MS = 250;

export type LossReason =
  | 'silent'
  | 'not_listed'
  | 'not_received'
  | 'disconnected'
  | 'refused'
  | 'unavailable'
  | 'garbage';

export interface GatewayObserver {
  /** A window was answered by the worker of that name, so long after it was sent. */
  windowDone(worker: string, tookMs: number): void;
  /** A window goes back into the queue. */
  windowLost(reason: LossReason): void;
}

export interface RemotePoolOptions {
  readonly bus: Bus;
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  readonly refusals: Refusals;
  readonly observer: GatewayObserver;
}

export interface KnownGateway {
  state: GatewayState;
  heardMs: number;
}

export class RemotePool implements Recogniser, Capacity {
  readonly id = newId();
  readonly #options: RemotePoolOptions;
  readonly #workers = new Map<string, KnownWorker>();
  readonly #gateways = new Map<string, KnownGateway>();
  readonly #listeners: (() => void)[] = [];
  #waiting: WaitingWindows = new Map();
  /** What was last said to be wanted. */
  #said: Want = {};
  #sweptMs: number;
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(options: RemotePoolOptions) {
    this.#options = options;
    this.#sweptMs = options.clock.monotonicMs();
  }

  /** Shared slots: what may begin now depends on the credits that workers lend. */
  get capacity(): Capacity {
    return this;
  }

  freeSlots(tier: ModelId): number {
    if (!this.#options.bus.isConnected || this.#isClosed) return 0;
    let free = 0;
    for (const worker of this.#usable(tier)) free += worker.credits;
    return free;
  }

  serves(tier: ModelId): boolean {
    return this.#usable(tier).length > 0;
  }

  get isContended(): boolean {
    return this.gateways.some(({ state }) => wantOf(state) > 0);
  }

  /** Workers hear at once that something waits; that nothing does any more, with the next beat or window. */
  setWaiting(waiting: WaitingWindows): void {
    this.#waiting = waiting;
    if (MODEL_IDS.some((tier) => (waiting.get(tier) ?? 0) > 0 && (this.#said[tier] ?? 0) === 0)) this.#announce();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  start(): void {
    const { bus } = this.#options;
    bus.subscribe(gatewaySubject(this.id), (bytes) => this.#onMessage(bytes));
    bus.subscribe(GATEWAYS_SUBJECT, (bytes) => this.#onGateway(bytes));
    bus.listen({ onConnected: () => this.#announce(), onDisconnected: () => this.#onDisconnected() });
    this.#announce();
    this.#timers = [setInterval(() => this.#announce(), BEAT_MS), setInterval(() => this.#sweep(), SWEEP_MS)];
  }

  /** This gateway's share of what workers have, but never less than it has got. */
  get slots(): number {
    let all = 0;
    for (const { state } of this.#workers.values()) if (!state.isDraining) all += state.slots;
    const others = [...this.#gateways.values()].filter(({ state }) => wantOf(state) > 0 || state.running > 0);
    return Math.max(Math.ceil(all / (others.length + 1)), this.credits + this.running);
  }

  get credits(): number {
    let credits = 0;
    for (const worker of this.#workers.values()) credits += worker.credits;
    return credits;
  }

  get running(): number {
    let running = 0;
    for (const { leases } of this.#workers.values()) running += leases.size;
    return running;
  }

  get workers(): readonly KnownWorker[] {
    return [...this.#workers.values()];
  }

  isDistrusted(worker: KnownWorker): boolean {
    return worker.isDistrusted(this.#nowMs);
  }

  /** All others. */
  get gateways(): readonly KnownGateway[] {
    return [...this.#gateways.values()];
  }

  get state(): GatewayState {
    const { name, version } = this.#options;
    return {
      ...{ kind: 'gateway', version, id: this.id, name, want: this.#want(), isLeaving: this.#isClosed },
      ...{ running: this.running, slots: this.slots },
    };
  }

  recognise(window: SpeechWindow, signal: AbortSignal): Promise<Recognition> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const worker = this.#usable(window.tier).sort((a, b) => b.credits - a.credits)[0];
    const credit = this.#options.bus.isConnected && !this.#isClosed ? worker?.spend() : undefined;
    if (!worker || credit === undefined)
      return Promise.reject(new WindowLost('No worker has a free slot.', { wasBegun: false }));
    const id = newId();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#release(worker, [id]);
        lease.settle({ error: signal.reason as Error });
      };
      const lease: Lease = {
        id,
        credit,
        sentMs: this.#nowMs,
        connection: worker.state.connections,
        isConfirmed: false,
        settle: (outcome) => {
          worker.leases.delete(id);
          signal.removeEventListener('abort', onAbort);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.recognition);
        },
      };
      worker.leases.set(id, lease);
      signal.addEventListener('abort', onAbort, { once: true });
      const head = { version: this.#options.version, gateway: this.id, credit, id, want: this.#want() };
      this.#options.bus.publish(workerSubject(worker.state.id), writeWindow(head, window));
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const { leases } of this.#workers.values())
      for (const lease of [...leases.values()])
        lease.settle({ error: new RecogniserUnavailable('The connection to the workers is closed.') });
    // Workers hear it at once, and lend to others.
    this.#announce();
  }

  get #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #usable(tier: ModelId): KnownWorker[] {
    const nowMs = this.#nowMs;
    return [...this.#workers.values()].filter((worker) => worker.serves(tier, nowMs));
  }

  #want(): Want {
    return Object.fromEntries(MODEL_IDS.map((tier) => [tier, this.#waiting.get(tier) ?? 0]));
  }

  #announce(): void {
    const { state } = this;
    this.#said = state.want;
    this.#options.bus.publish(GATEWAYS_SUBJECT, write(state));
  }

  #onGateway(bytes: Uint8Array): void {
    try {
      const state = readGatewayState(bytes);
      if (state.id === this.id) return;
      if (state.isLeaving) this.#gateways.delete(state.id);
      else if (this.#gateways.size < GATEWAYS_MAX || this.#gateways.has(state.id))
        this.#gateways.set(state.id, { state, heardMs: this.#nowMs });
    } catch (cause) {
      this.#refuse(cause, 'a gateway');
    }
  }

  #onMessage(bytes: Uint8Array): void {
    try {
      const message = readToGateway(bytes);
      if (message.kind === 'worker') this.#onState(message);
      else this.#onAnswer(message);
    } catch (cause) {
      this.#refuse(cause, 'a worker');
      this.#giveUpUnreadable(bytes);
    }
  }

  #onState(state: WorkerState): void {
    const { version } = this.#options;
    if (!worksWith(version, state.version)) throw wrongVersion('worker', state, version);
    if (state.credits.length + state.leases.length > state.slots)
      throw new RefusedMessage('nonsense', `the worker ${state.name} lends more than its slots`, state.name);
    let worker = this.#workers.get(state.id);
    if (!worker) {
      if (this.#workers.size >= WORKERS_MAX)
        throw new RefusedMessage('too_many', `there are more than ${WORKERS_MAX} workers`);
      worker = new KnownWorker(state, this.#nowMs);
      this.#workers.set(state.id, worker);
    }
    const { lost, unwanted } = worker.hear(state, this.#nowMs);
    for (const lease of lost) this.#lose(lease, 'not_listed', true);
    if (unwanted.length > 0) this.#release(worker, unwanted);
    if (worker.credits > 0 || lost.length > 0) this.#changed();
  }

  #onAnswer({ id, worker: workerId, result }: Answer): void {
    const worker = this.#workers.get(workerId);
    const lease = worker?.leases.get(id);
    // Late, of a window that was given up or cancelled; or forged.
    if (!worker || !lease)
      throw new RefusedMessage('unknown_lease', 'it answers no window of ours', worker?.state.name);
    if ('recognition' in result) {
      worker.windows += 1;
      worker.trust();
      this.#options.observer.windowDone(worker.state.name, this.#nowMs - lease.sentMs);
      lease.settle({ recognition: result.recognition });
    } else if (result.failure.reason === 'failed') lease.settle({ error: new Error(result.failure.message) });
    else this.#lose(lease, result.failure.reason, result.failure.reason !== 'refused');
  }

  /** A message that cannot be read but names one of our windows: its worker is not to be trusted with windows. */
  #giveUpUnreadable(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
    for (const worker of this.#workers.values())
      for (const lease of worker.leases.values()) {
        if (!text.includes(lease.id)) continue;
        worker.distrust(this.#nowMs);
        this.#release(worker, [lease.id]);
        this.#lose(lease, 'garbage', true);
      }
  }

  #lose(lease: Lease, reason: LossReason, wasBegun: boolean): void {
    this.#options.observer.windowLost(reason);
    lease.settle({ error: new WindowLost(`The worker lost the window: ${reason}.`, { wasBegun }) });
  }

  #release(worker: KnownWorker, ids: readonly string[]): void {
    const { bus, version } = this.#options;
    const message = write({ kind: 'release', version, gateway: this.id, ids: [...ids] });
    bus.publish(workerSubject(worker.state.id), message);
  }

  #onDisconnected(): void {
    for (const worker of this.#workers.values()) {
      worker.dropCredits();
      for (const lease of [...worker.leases.values()]) if (!lease.isConfirmed) this.#lose(lease, 'disconnected', true);
    }
    this.#changed();
  }

  #sweep(): void {
    const nowMs = this.#nowMs;
    const lagMs = nowMs - this.#sweptMs - SWEEP_MS;
    this.#sweptMs = nowMs;
    // After a stop of our own, what others said meanwhile is still to be read.
    if (lagMs > OWN_LAG_MS) {
      for (const known of [...this.#workers.values(), ...this.#gateways.values()]) known.heardMs = nowMs;
      return;
    }
    for (const [id, { heardMs }] of this.#gateways) if (nowMs - heardMs > GATEWAY_SILENT_MS) this.#gateways.delete(id);
    for (const worker of this.#workers.values()) {
      const isSilent = worker.isSilent(nowMs);
      for (const lease of worker.overdue(nowMs)) {
        this.#release(worker, [lease.id]);
        this.#lose(lease, isSilent ? 'silent' : 'not_received', true);
      }
      if (isSilent) this.#workers.delete(worker.state.id);
    }
    this.#changed();
  }

  #changed(): void {
    if (!this.#isClosed) for (const listener of this.#listeners) listener();
  }

  #refuse(cause: unknown, sender: string): void {
    if (!(cause instanceof RefusedMessage)) throw cause;
    this.#options.refusals.refuse(cause.reason, cause.sender ?? sender, cause.message);
  }
}

const wantOf = ({ want }: GatewayState): number => Object.values(want).reduce((sum, count) => sum + count, 0);
