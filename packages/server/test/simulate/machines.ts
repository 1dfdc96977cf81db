// Simulated machines: the real gateway and worker code, on a simulated network, with recognisers that only wait.
import { LIMITS, type ModelId } from '@faircopy/contract';
import { RemotePool } from '../../src/cluster/gateway/remote-pool.ts';
import { Refusals } from '../../src/cluster/refusals.ts';
import { WorkerLink } from '../../src/cluster/worker/worker-link.ts';
import type { Clock } from '../../src/lib/time/clock.ts';
import type { Timers } from '../../src/lib/time/timers.ts';
import { silentObserver } from '../../src/transcription/observer.ts';
import type { ExpectedWork } from '../../src/transcription/scheduling/expected-work.ts';
import { Scheduler } from '../../src/transcription/scheduling/scheduler.ts';
import { WaitingAudio } from '../../src/transcription/session/intake/waiting-audio.ts';
import type { AdmissionAnswer, AdmissionRequest } from '../../src/transcription/transcriber.ts';
import type { Figures } from './figures.ts';
import { type Random, TIERS } from './plan.ts';
import type { Link, PartyBus } from './simulated-nats.ts';
import { timedRecogniser } from './timed-recogniser.ts';

/** The environment of machines and callers: time and network, simulated or real. */
export interface World {
  readonly time: Clock & Timers;
  readonly connect: (link: Link) => PartyBus;
  /** Rate of the audio in windows: real windows have all samples, simulated ones only a few. */
  readonly samplesPerSecond: number;
  readonly version: string;
  readonly random: Random;
  /** Random numbers of a caller: shared by all callers, or its own. */
  readonly randomOf: (caller: number) => Random;
  readonly figures: Figures;
  readonly newId: () => string;
}

/** Defaults of the server's settings. */
const ADMISSION = {
  queuedAudioSecondsMax: 3_600,
  waitSecondsMax: LIMITS.recognitionTimeoutMs / 1000,
  crowdedWaitSecondsMax: 1.5,
};
/** How long a list of the expected work is used, as in the transcriber. */
const EXPECTED_FRESH_MS = 10;

const refusalsOf = () => new Refusals({ count: () => {}, log: () => {} });

export class SimulatedWorker {
  readonly #world: World;
  readonly #wire: Link;
  readonly slots: number;
  readonly name: string;
  readonly speed: number;
  #bus: PartyBus | undefined;
  #link: WorkerLink | undefined;

  constructor(world: World, of: { name: string; speed: number; slots: number; wire: Link }) {
    this.#world = world;
    this.name = of.name;
    this.speed = of.speed;
    this.slots = of.slots;
    this.#wire = of.wire;
  }

  get isAlive(): boolean {
    return this.#link !== undefined;
  }

  /** Windows that it has recognised. */
  get done(): number {
    return this.#link?.figures.done ?? 0;
  }

  start(): void {
    const { time, connect, newId, random, figures, samplesPerSecond, version } = this.#world;
    this.#bus = connect(this.#wire);
    this.#link = new WorkerLink({
      bus: this.#bus,
      recogniser: timedRecogniser({
        time,
        random,
        samplesPerSecond,
        slots: this.slots,
        speed: this.speed,
        worked: (fromMs, untilMs) => figures.worked(fromMs, untilMs),
      }),
      tiers: TIERS.map(({ tier }) => tier),
      name: this.name,
      version,
      clock: time,
      timers: time,
      newId,
      refusals: refusalsOf(),
      observer: { windowEnded: () => {} },
    });
    this.#link.start();
  }

  /** Stops without notice, as in a power failure. */
  kill(): void {
    this.#bus?.cut();
    this.#link?.close();
    this.#link = undefined;
  }

  async drain(): Promise<void> {
    await this.#link?.drain();
    this.kill();
  }
}

/** A request that is open at a gateway. */
export interface OpenRequest {
  readonly work: ExpectedWork;
  /** Called when the gateway is gone, which its caller notices at once. */
  cut(): void;
}

export class SimulatedGateway {
  readonly #world: World;
  readonly #wire: Link;
  readonly name: string;
  readonly open = new Set<OpenRequest>();
  waiting = new WaitingAudio();
  #bus: PartyBus | undefined;
  #pool: RemotePool | undefined;
  #scheduler: Scheduler | undefined;
  #expected: { readonly readMs: number; readonly work: readonly ExpectedWork[] } | undefined;
  /** Expected cost of a second of speech in a live stream, by tier. Updated when the expected work is read. */
  readonly liveCosts = new Map<ModelId, { perSecond: number }>(TIERS.map(({ tier }) => [tier, { perSecond: 0 }]));
  isDraining = false;

  constructor(world: World, of: { name: string; wire: Link }) {
    this.#world = world;
    this.name = of.name;
    this.#wire = of.wire;
  }

  get isAlive(): boolean {
    return this.#pool !== undefined;
  }

  get scheduler(): Scheduler {
    return this.#scheduler!;
  }

  start(): void {
    const { time, connect, newId, figures, version } = this.#world;
    this.isDraining = false;
    this.waiting = new WaitingAudio();
    this.#bus = connect(this.#wire);
    this.#pool = new RemotePool({
      bus: this.#bus,
      name: this.name,
      version,
      clock: time,
      timers: time,
      newId,
      refusals: refusalsOf(),
      observer: {
        windowDone: () => {},
        windowLost: (reason) => figures.lost(reason, time.monotonicMs()),
        workerChanged: () => {},
      },
    });
    this.#scheduler = new Scheduler({
      recogniser: this.#pool,
      clock: time,
      timers: time,
      ...ADMISSION,
      observer: {
        ...silentObserver,
        windowEnded: ({ requestId, tier, outcome, waitMs }) => {
          if (outcome === 'done') figures.waited(tier, requestId.startsWith('stream'), waitMs, time.monotonicMs());
        },
      },
    });
    this.#pool.start();
  }

  /** Like the transcriber, refuses tiers without workers; otherwise, the scheduler decides. */
  admit(request: AdmissionRequest): AdmissionAnswer {
    if (!this.#scheduler || this.isDraining) return { admitted: false, retryAfterSeconds: 1 };
    const models = request.models.filter((model) => this.scheduler.serves(model));
    if (models.length === 0) return { admitted: false, retryAfterSeconds: 5 };
    const answer = this.#scheduler.admit({ ...request, models }, this.#expectedWork());
    if (answer.admitted) this.#expected = undefined;
    return answer;
  }

  kill(): void {
    this.#bus?.cut();
    this.#end();
  }

  /** Leaves the cluster, after its callers were sent elsewhere. */
  async leave(): Promise<void> {
    await this.#pool?.close();
    this.#bus?.cut();
    this.#end();
  }

  #end(): void {
    void this.#pool?.close();
    this.#pool = undefined;
    this.#scheduler = undefined;
    const requests = [...this.open];
    this.open.clear();
    for (const request of requests) request.cut();
  }

  #expectedWork(): readonly ExpectedWork[] {
    const nowMs = this.#world.time.monotonicMs();
    if (this.#expected && nowMs - this.#expected.readMs < EXPECTED_FRESH_MS) return this.#expected.work;
    for (const [tier, cost] of this.liveCosts) cost.perSecond = this.scheduler.throughput.secondsPerAudioSecond(tier);
    const work: ExpectedWork[] = [];
    for (const request of this.open) work.push(request.work);
    this.#expected = { readMs: nowMs, work };
    return work;
  }
}
