// Announces this gateway's waiting windows: to all workers periodically, to some at once when windows begin to wait.
import { MODEL_IDS } from '@faircopy/contract';
import type { Clock } from '../../lib/time/clock.ts';
import type { Bus } from '../bus.ts';
import type { GatewayState, Waits, Want, WorkerState } from '../messages.ts';
import { GATEWAYS_SUBJECT, workerSubject } from '../subjects.ts';
import { HEARTBEAT_MS, heartbeatFor } from '../timing.ts';
import { type Codec, wireCodec } from '../window-message.ts';
import type { KnownWorkers } from './known-workers.ts';

/** Workers of a large cluster asked for slots at once; others follow with each heartbeat while windows wait. */
const ASKED_AT_ONCE = 16;
/** Interval between announcements while workers join: a worker knows only gateways that have announced themselves. */
const JOINING_MS = 10 * HEARTBEAT_MS;

export interface AnnouncementsOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly workers: KnownWorkers;
  readonly state: () => GatewayState;
}

export class Announcements {
  readonly #options: AnnouncementsOptions;
  readonly #codec: Codec;
  /** The waiting windows announced last. */
  #announced: Waits = { want: {} };
  #sentMs = Number.NEGATIVE_INFINITY;
  /** Workers that were asked for slots since the last announcement. */
  readonly #asked = new Set<string>();
  /** Workers that were informed that nothing waits any more. */
  readonly #corrected = new Set<string>();
  #nextAsked = 0;
  /** Number of workers at the last announcement, and whether another gateway has met new ones since. */
  #announcedWorkers = 0;
  #areJoining = false;

  constructor(options: AnnouncementsOptions) {
    this.#options = options;
    this.#codec = options.bus.codec ?? wireCodec;
  }

  /** Announces to all workers and gateways. */
  announce(): void {
    const { bus, clock, state, workers } = this.#options;
    const now = state();
    this.#announced = now;
    this.#asked.clear();
    this.#corrected.clear();
    this.#announcedWorkers = workers.size;
    this.#areJoining = false;
    this.#sentMs = clock.monotonicMs();
    bus.publish(GATEWAYS_SUBJECT, this.#codec.write({ ...now, nextMs: this.#everyMs }));
  }

  /** Announces to all with the next heartbeat, for tools that only listen. */
  announceSoon(): void {
    this.#sentMs = Number.NEGATIVE_INFINITY;
  }

  /** Another gateway has met a new worker, which may not know this gateway yet. */
  workerJoined(): void {
    this.#areJoining = true;
  }

  /** Announces newly waiting windows at once; an empty queue is announced with the next heartbeat or window. */
  windowsWait(now: Waits): void {
    if (isNothing(now)) return;
    if (this.#corrected.size > 0) this.#withdrawCorrections();
    const { want, background } = this.#announced;
    if (!isNew(now.want, want) && !isNew(now.background, background)) return;
    if (this.#everyMs === HEARTBEAT_MS) this.announce();
    else this.#ask(this.#options.state());
  }

  /**
   * Corrects a worker that lends credits nobody waits for: it acts on an earlier announcement, and so prefers this
   * gateway to those that wait. Sent once per announcement. Older workers would refuse the message.
   */
  creditsUnused({ id, nextMs }: WorkerState): void {
    // Most states come with unused credits.
    if (isNothing(this.#announced) || nextMs === undefined || this.#corrected.has(id)) return;
    const now = this.#options.state();
    if (!isNothing(now)) return;
    this.#corrected.add(id);
    this.#sendState(id, now);
  }

  heartbeat(): void {
    const { clock, state, workers } = this.#options;
    const areJoining = this.#areJoining || workers.size > this.#announcedWorkers;
    // Half an interval of tolerance, because timers are inexact.
    const dueMs = areJoining ? Math.min(JOINING_MS, this.#everyMs) : this.#everyMs;
    if (clock.monotonicMs() - this.#sentMs > dueMs - HEARTBEAT_MS / 2) {
      this.announce();
      return;
    }
    const now = state();
    if (!isNothing(now)) this.#ask(now);
    else {
      for (const worker of this.#asked) this.#sendState(worker, now);
      this.#asked.clear();
      this.#announced = now;
    }
  }

  /** Older workers drop a gateway after a silence that is normal in a large cluster. */
  get #everyMs(): number {
    const { workers } = this.#options;
    return workers.totals.older > 0 ? HEARTBEAT_MS : heartbeatFor('workers', workers.size);
  }

  #ask(now: GatewayState): void {
    const { all } = this.#options.workers;
    this.#announced = now;
    this.#corrected.clear();
    for (let nth = 0; nth < Math.min(ASKED_AT_ONCE, all.length); nth++) {
      const { id } = all[this.#nextAsked++ % all.length]!.state;
      this.#asked.add(id);
      this.#sendState(id, now);
    }
  }

  /** Informs corrected workers that windows wait again. */
  #withdrawCorrections(): void {
    const now = this.#options.state();
    for (const worker of this.#corrected) this.#sendState(worker, now);
    this.#corrected.clear();
  }

  #sendState(worker: string, now: GatewayState): void {
    this.#options.bus.publish(workerSubject(worker), this.#codec.write({ ...now, nextMs: this.#everyMs }));
  }
}

const isNothing = ({ want, background }: Waits): boolean => !isNew(want) && !isNew(background);

/** Whether windows of a tier wait of which none waited before. */
const isNew = (now: Want | undefined, before?: Want): boolean => {
  if (now) for (const tier of MODEL_IDS) if ((now[tier] ?? 0) > 0 && (before?.[tier] ?? 0) === 0) return true;
  return false;
};
