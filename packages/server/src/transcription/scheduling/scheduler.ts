// Decides which waiting window a free recogniser takes next, and whether a new request may start.
import type { ModelId } from '@faircopy/contract';
import { Fault } from '../../lib/fault.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { systemTimers, type Timer, type Timers } from '../../lib/time/timers.ts';
import { type Recogniser, RecogniserUnavailable, WindowLost } from '../../speech/recogniser.ts';
import type { TranscriptionObserver, WindowReport } from '../observer.ts';
import type { AdmissionAnswer, AdmissionRequest } from '../transcriber.ts';
import { AdmissionControl, type AdmissionLimits, type Backlog, type ExpectedCost } from './admission-control.ts';
import { AudioLengthEstimate, ThroughputEstimate } from './estimates.ts';
import { type ExpectedWork, liveLoads } from './expected-work.ts';
import { FairQueue } from './fair-queue.ts';
import { QueuedTask } from './queued-task.ts';
import { addWork, QueuedWork } from './queued-work.ts';
import { MakingRoom } from './slots/making-room.ts';
import { RecogniserSlots } from './slots/recogniser-slots.ts';
import { StrandedTiers } from './slots/stranded-tiers.ts';
import { Cancelled, isFirm, type Task, type Ticket, type Urgency } from './task.ts';
import { Utilisation } from './utilisation.ts';

/** Speculative work runs only while firm work uses less than this share of the slots; checked at this interval. */
const SPECULATION_UTILISATION_MAX = 0.6;
const SPECULATION_RETRY_MS = 500;

export interface SchedulerOptions extends AdmissionLimits {
  readonly recogniser: Recogniser;
  readonly clock: Clock;
  readonly observer: TranscriptionObserver;
  readonly timers?: Timers;
}

export class Scheduler {
  readonly throughput = new ThroughputEstimate();
  readonly audioLength = new AudioLengthEstimate();
  readonly #admission: AdmissionControl;
  readonly #options: SchedulerOptions;
  readonly #firm = new FairQueue<QueuedTask>();
  readonly #speculative = new FairQueue<QueuedTask>();
  readonly #background = new FairQueue<QueuedTask>();
  readonly #running = new Set<QueuedTask>();
  #firmRunning = 0;
  readonly #utilisation = new Utilisation();
  readonly #queued = new QueuedWork();
  readonly #timers: Timers;
  #speculationTimer: Timer | undefined;
  readonly #slots: RecogniserSlots;
  readonly #room: MakingRoom;
  readonly #stranded: StrandedTiers;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#admission = new AdmissionControl(options, options.clock);
    this.#slots = new RecogniserSlots(options.recogniser, () => this.#running.size);
    this.#room = new MakingRoom(this.#slots, this.#timers, () => this.#dispatch());
    this.#stranded = new StrandedTiers({
      timers: this.#timers,
      slots: this.#slots,
      queued: this.#queued,
      giveUp: (tier, isBackground) =>
        this.#giveUpStranded(tier, isBackground ? [...this.#background] : [...this.#firm, ...this.#speculative]),
    });
    this.#slots.onChange(() => this.#dispatch());
  }

  get slots(): number {
    return this.#slots.count;
  }

  /** Whether there is a recogniser for the tier, busy or not. */
  serves(tier: ModelId): boolean {
    return this.#slots.serves(tier);
  }

  /** Seconds until all known firm work, plus `moreCost` compute seconds, would be done. */
  waitSeconds(moreCost = 0): number {
    const nowMs = this.#options.clock.monotonicMs();
    let cost = this.#queued.firmCost + moreCost;
    for (const entry of this.#running) if (isFirm(entry.urgency)) cost += entry.remainingCost(nowMs);
    return cost / this.slots;
  }

  /** Whether one more request may start, considering the expected work of admitted ones. */
  admit(request: AdmissionRequest, expected: readonly ExpectedWork[] = []): AdmissionAnswer {
    return this.#admission.admit(request, this.#expectedCost(request), {
      slots: this.slots,
      busyShare: this.#utilisation.of(this.#options.clock.monotonicMs()),
      backlogs: this.#backlogs(expected),
      liveLoads: liveLoads(expected),
    });
  }

  /** The usual cost of such a request on the cheapest of its tiers. */
  #expectedCost({ mode, models }: AdmissionRequest): ExpectedCost {
    const rates = models.map((model) => this.throughput.secondsPerAudioSecond(model));
    const costs = models.map((model, index) => this.audioLength.seconds(mode, model) * rates[index]!);
    return { cost: Math.min(...costs), liveLoad: mode === 'stream' ? Math.min(...rates) : 0 };
  }

  /** Firm work by account: waiting, running, and expected of admitted requests. */
  #backlogs(expected: readonly ExpectedWork[]): ReadonlyMap<string, Backlog> {
    const backlogs = this.#queued.backlogs();
    const nowMs = this.#options.clock.monotonicMs();
    for (const entry of this.#running)
      if (entry.countsAsBacklog) addWork(backlogs, entry.accountId, entry.remainingCost(nowMs), 0);
    for (const { accountId, cost, audioSeconds } of expected) addWork(backlogs, accountId, cost, audioSeconds);
    return backlogs;
  }

  submit(task: Task): Ticket {
    const entry = new QueuedTask(task, this.throughput, this.#options.clock.monotonicMs());
    // Avoids an unhandled rejection: a ticket's holder may await the result only after it has failed.
    entry.result.promise.catch(() => undefined);
    if (this.#queued.audioSeconds + entry.audioSeconds > this.#options.queuedAudioSecondsMax) {
      entry.state = 'over';
      entry.result.reject(
        new Fault('SERVICE_UNAVAILABLE', {
          message: 'Too much audio is waiting for recognition.',
          retryAfterSeconds: Math.max(1, Math.ceil(this.waitSeconds())),
        }),
      );
    } else {
      this.#enqueue(entry);
      this.#dispatch();
    }
    return {
      result: entry.result.promise,
      setUrgency: (urgency) => this.#setUrgency(entry, urgency),
      cancel: () => this.#cancel(entry),
    };
  }

  #queueOf(entry: QueuedTask): FairQueue<QueuedTask> {
    if (isFirm(entry.urgency)) return this.#firm;
    return entry.urgency === 'speculative' ? this.#speculative : this.#background;
  }

  #enqueue(entry: QueuedTask): void {
    entry.state = 'waiting';
    entry.updateWeight();
    this.#queueOf(entry).add(entry);
    this.#queued.add(entry);
    if (isFirm(entry.urgency)) this.#slots.countWaiting(entry.tier, 1);
  }

  #dequeue(entry: QueuedTask): void {
    this.#queueOf(entry).remove(entry);
    this.#discount(entry);
  }

  /** Updates the sums when an entry leaves its queue. */
  #discount(entry: QueuedTask): void {
    this.#queued.remove(entry);
    if (isFirm(entry.urgency)) this.#slots.countWaiting(entry.tier, -1);
  }

  #setUrgency(entry: QueuedTask, urgency: Urgency): void {
    if (entry.urgency === urgency) return;
    if (entry.state !== 'waiting') {
      if (this.#running.has(entry)) this.#firmRunning += Number(isFirm(urgency)) - Number(isFirm(entry.urgency));
      entry.urgency = urgency;
      this.#measureUtilisation();
      return;
    }
    this.#dequeue(entry);
    entry.urgency = urgency;
    this.#enqueue(entry);
    this.#dispatch();
  }

  #cancel(entry: QueuedTask): void {
    if (entry.state === 'over') return;
    if (entry.state === 'waiting') this.#dequeue(entry);
    entry.state = 'over';
    entry.result.reject(new Cancelled());
    entry.stop?.abort();
    this.#reportLevel();
  }

  #dispatch(): void {
    this.#room.update();
    while (!this.#slots.isFull) {
      const entry =
        this.#firm.take(this.#mayBegin) ?? this.#takeSpeculative() ?? this.#background.take(this.#mayUseIdleSlot);
      if (!entry) break;
      this.#discount(entry);
      void this.#run(entry);
    }
    // If only firm work is running, nothing can yield.
    if (this.#firmRunning < this.#running.size) this.#room.stopFor(this.#running);
    this.#stranded.update();
    this.#reportLevel();
  }

  readonly #mayBegin = ({ tier }: QueuedTask): boolean => this.#slots.mayBegin(tier);
  readonly #mayUseIdleSlot = (entry: QueuedTask): boolean => this.#mayBegin(entry) && !this.#room.isHeldBack(entry);

  /** Takes none on a busy server, where speculative work would soon have to yield its slot and be lost. */
  #takeSpeculative(): QueuedTask | undefined {
    this.#speculationTimer?.stop();
    if (this.#speculative.size === 0) return undefined;
    const isCalm = this.#utilisation.of(this.#options.clock.monotonicMs()) < SPECULATION_UTILISATION_MAX;
    if (isCalm && !this.#slots.isContended) return this.#speculative.take(this.#mayUseIdleSlot);
    this.#speculationTimer = this.#timers.after(SPECULATION_RETRY_MS, () => this.#dispatch()).unref();
    return undefined;
  }

  /** Measures how busy the slots are with firm work. While some waits, slots that look free belong to other servers. */
  #measureUtilisation(): void {
    const share = this.#slots.servedWaiting > 0 ? 1 : Math.min(1, this.#firmRunning / this.slots);
    this.#utilisation.set(share, this.#options.clock.monotonicMs());
  }

  async #run(entry: QueuedTask): Promise<void> {
    const { clock, recogniser } = this.#options;
    const startedMs = clock.monotonicMs();
    const stop = new AbortController();
    entry.state = 'running';
    entry.startedMs = startedMs;
    entry.stop = stop;
    this.#running.add(entry);
    if (isFirm(entry.urgency)) {
      this.#firmRunning += 1;
      this.#room.begun(entry);
    }
    this.#measureUtilisation();
    let outcome: WindowReport['outcome'] = 'cancelled';
    try {
      entry.running = entry.window();
      const recognition = await recogniser.recognise(entry.running, stop.signal);
      outcome = 'done';
      entry.state = 'over';
      entry.onResult(recognition);
      entry.result.resolve(recognition);
    } catch (failure) {
      // A stopped recogniser has not failed; the handler of its answer may have.
      if (outcome === 'done' || !stop.signal.aborted) {
        outcome = 'failed';
        const isLost = failure instanceof WindowLost && entry.mayReturn(failure);
        entry.state = isLost ? 'lost' : 'over';
        if (!isLost) entry.result.reject(failure);
      }
    }
    this.#running.delete(entry);
    entry.running = undefined;
    this.#room.ended(entry);
    if (isFirm(entry.urgency)) this.#firmRunning -= 1;
    this.#measureUtilisation();
    const runMs = clock.monotonicMs() - startedMs;
    if (isFirm(entry.urgency)) this.#admission.served(entry.accountId, runMs / 1000);
    if (outcome === 'done') this.throughput.learn(entry.tier, entry.chargedAudioSeconds, runMs / 1000);
    this.#options.observer.windowEnded({
      requestId: entry.requestId,
      tier: entry.tier,
      outcome,
      speculative: entry.urgency === 'speculative',
      waitMs: startedMs - entry.queuedAtMs,
      runMs,
    });
    this.#resumeLater(entry);
    this.#dispatch();
  }

  #resumeLater(entry: QueuedTask): void {
    if (entry.state !== 'yielding' && entry.state !== 'lost') return;
    if (entry.state === 'lost') entry.isReturned = true;
    entry.queuedAtMs = this.#options.clock.monotonicMs();
    this.#enqueue(entry);
  }

  #giveUpStranded(tier: ModelId, entries: readonly QueuedTask[]): void {
    if (this.#slots.serves(tier)) return;
    for (const entry of entries) {
      if (entry.tier !== tier) continue;
      this.#dequeue(entry);
      entry.state = 'over';
      entry.result.reject(new RecogniserUnavailable(`No recogniser for ${entry.tier} is available.`));
    }
    this.#reportLevel();
  }

  #reportLevel(): void {
    this.#slots.reportWaiting(this.#queued.backgroundByTier);
    this.#options.observer.queueChanged({
      queuedWindows: this.#queued.windows,
      queuedAudioSeconds: this.#queued.audioSeconds,
      queuedAudioSecondsByTier: this.#queued.audioSecondsByTier,
      busySlots: this.#running.size,
      slots: this.slots,
    });
  }
}
