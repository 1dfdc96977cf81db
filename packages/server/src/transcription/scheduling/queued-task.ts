// A task in the scheduler's queues: its cost, weight and state.
import type { ModelId } from '@faircopy/contract';
import { samplesToSeconds } from '../../audio/pcm.ts';
import { deferred } from '../../lib/time/deferred.ts';
import type { Recognition, SpeechWindow, WindowLost } from '../../speech/recogniser.ts';
import type { ThroughputEstimate } from './estimates.ts';
import type { QueueEntry } from './fair-queue.ts';
import { isFirm, type Task, type Urgency } from './task.ts';

export const TIER_WEIGHT: Readonly<Record<ModelId, number>> = { 'svc-1.0-lite': 1, 'svc-1.0-pro': 3, 'svc-1.0-max': 6 };
const URGENCY_WEIGHT: Record<Urgency, number> = { background: 1, speculative: 1, steady: 1, final: 4 };
/** Fixed cost of a model call, in seconds of audio. */
const FIXED_AUDIO_SECONDS = 1;

/** A window fails after more losses with its recogniser, or more refusals before it began, than this. */
const LOSSES_MAX = 2;
const REFUSALS_MAX = 20;

/**
 * waiting: in a queue. running: with a recogniser. yielding: being stopped for firm work; will wait again.
 * lost: its recogniser is gone; will wait again at the head of its request.
 */
export type TaskState = 'waiting' | 'running' | 'yielding' | 'lost' | 'over';

export class QueuedTask implements QueueEntry {
  readonly accountId: string;
  readonly requestId: string;
  readonly #computeSeconds: number;
  readonly audioSeconds: number;
  readonly tier: ModelId;
  readonly #isLive: boolean;
  readonly window: () => SpeechWindow;
  readonly onResult: (recognition: Recognition) => void;
  readonly hasContext: () => boolean;
  readonly position: number;
  /** When it last began to wait. */
  queuedAtMs: number;
  readonly result = deferred<Recognition>();
  weight = 1;
  share = 1;
  urgency: Urgency;
  state: TaskState = 'waiting';
  startedMs = 0;
  stop: AbortController | undefined;
  /** Its window while a recogniser has it. */
  running: SpeechWindow | undefined;
  isReturned = false;
  #losses = 0;
  #refusals = 0;

  constructor(task: Task, throughput: ThroughputEstimate, nowMs: number) {
    this.accountId = task.accountId;
    this.requestId = task.requestId;
    this.tier = task.tier;
    this.#isLive = task.isLive ?? false;
    this.window = task.window;
    this.onResult = task.onResult ?? (() => undefined);
    this.hasContext = task.hasContext ?? (() => true);
    this.position = task.position ?? 0;
    this.audioSeconds = samplesToSeconds(task.audioSamples);
    this.#computeSeconds = this.chargedAudioSeconds * throughput.secondsPerAudioSecond(task.tier);
    this.urgency = task.urgency;
    this.queuedAtMs = nowMs;
  }

  get cost(): number {
    return this.isReturned ? 0 : this.#computeSeconds;
  }

  /** Compute seconds that it still needs while it runs. */
  remainingCost(nowMs: number): number {
    return Math.max(0, this.cost - (nowMs - this.startedMs) / 1000);
  }

  /** Whether it counts as work while it runs. Slots of live streams are already deducted from the free ones. */
  get countsAsBacklog(): boolean {
    return isFirm(this.urgency) && !this.#isLive;
  }

  /** Its audio plus the fixed cost of a model call. */
  get chargedAudioSeconds(): number {
    return this.audioSeconds + FIXED_AUDIO_SECONDS;
  }

  /** Whether a window that was lost with its recogniser may be tried again. */
  mayReturn({ wasBegun }: WindowLost): boolean {
    if (wasBegun) this.#losses += 1;
    else this.#refusals += 1;
    return this.#losses <= LOSSES_MAX && this.#refusals <= REFUSALS_MAX;
  }

  /** Must be called after a change of urgency. */
  updateWeight(): void {
    this.share = URGENCY_WEIGHT[this.urgency];
    this.weight = TIER_WEIGHT[this.tier] * this.share;
  }
}
