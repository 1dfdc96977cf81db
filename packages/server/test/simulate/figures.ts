// Collects the figures of a simulation: waits, utilisation, refusals, shares of accounts and gateways, losses.
import type { ModelId } from '@faircopy/contract';
import { TIER_WEIGHT } from '../../src/transcription/scheduling/queued-task.ts';
import { mean } from '../overload/figures.ts';

const BUCKETS_PER_DECADE = 40;
const BUCKETS = 7 * BUCKETS_PER_DECADE;

/** A histogram of times from 1 ms to hours. Percentiles are accurate to 6 %. */
export class Waits {
  readonly #buckets = new Float64Array(BUCKETS);
  count = 0;
  sumMs = 0;

  get mean(): number {
    return this.sumMs / Math.max(1, this.count);
  }

  addAll(other: Waits): void {
    for (let at = 0; at < BUCKETS; at++) this.#buckets[at]! += other.#buckets[at]!;
    this.count += other.count;
    this.sumMs += other.sumMs;
  }

  add(ms: number): void {
    const at = ms < 1 ? 0 : Math.min(BUCKETS - 1, 1 + Math.floor(Math.log10(ms) * BUCKETS_PER_DECADE));
    this.#buckets[at]! += 1;
    this.count += 1;
    this.sumMs += ms;
  }

  percentile(share: number): number {
    let left = share * this.count;
    for (let at = 0; at < BUCKETS; at++) {
      left -= this.#buckets[at]!;
      if (left <= 0) return at === 0 ? 0 : 10 ** (at / BUCKETS_PER_DECADE);
    }
    return 0;
  }
}

/** Figures of one second of virtual time. */
interface Second {
  busyMs: number;
  slots: number;
  refused: number;
  lost: number;
  /** Of live windows. */
  waits: Waits;
}

interface DoneWindow {
  readonly account: string;
  readonly gateway: string;
  readonly tier: ModelId;
  readonly audioSeconds: number;
  readonly workSeconds: number;
}

const add = (sums: Map<string, number>, name: string, value: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + value);
};

export class Figures {
  readonly waits = new Map<string, Waits>();
  /** Seconds of work on a machine of speed 1 that were answered, by account and by gateway. */
  readonly byAccount = new Map<string, number>();
  /** The same, divided by the weight of the tier. The fair queue equalises this figure. */
  readonly weightedByAccount = new Map<string, number>();
  readonly byGateway = new Map<string, number>();
  readonly losses = new Map<string, number>();
  readonly seconds: Second[] = [];
  windows = 0;
  failedWindows = 0;
  attempts = 0;
  refusals = 0;
  requests = 0;
  givenUp = 0;
  cutRequests = 0;
  audioSeconds = 0;
  busyMs = 0;
  slotMs = 0;

  /** Resets everything except `seconds`, after the warm-up. */
  clear(): void {
    for (const map of [this.waits, this.byAccount, this.weightedByAccount, this.byGateway, this.losses]) map.clear();
    this.windows = 0;
    this.failedWindows = 0;
    this.attempts = 0;
    this.refusals = 0;
    this.requests = 0;
    this.givenUp = 0;
    this.cutRequests = 0;
    this.audioSeconds = 0;
    this.busyMs = 0;
    this.slotMs = 0;
  }

  second(nowMs: number): Second {
    const at = Math.floor(nowMs / 1000);
    while (this.seconds.length <= at)
      this.seconds.push({ busyMs: 0, slots: 0, refused: 0, lost: 0, waits: new Waits() });
    return this.seconds[at]!;
  }

  /** Only live windows count in `seconds`, because windows of a file wait for each other. */
  waited(tier: ModelId, isLive: boolean, ms: number, nowMs: number): void {
    const kind = `${tier}, ${isLive ? 'live' : 'files'}`;
    const waits = this.waits.get(kind) ?? new Waits();
    this.waits.set(kind, waits);
    waits.add(ms);
    if (isLive) this.second(nowMs).waits.add(ms);
  }

  /** Time in which slots worked on windows that were answered. */
  worked(fromMs: number, untilMs: number): void {
    this.busyMs += untilMs - fromMs;
    for (let at = Math.floor(fromMs / 1000); at * 1000 < untilMs; at++)
      this.second(at * 1000).busyMs += Math.min(untilMs, (at + 1) * 1000) - Math.max(fromMs, at * 1000);
  }

  /** Call once a second. */
  slots(count: number, nowMs: number): void {
    this.slotMs += 1000 * count;
    this.second(nowMs).slots = count;
  }

  done({ account, gateway, tier, audioSeconds, workSeconds }: DoneWindow): void {
    this.windows += 1;
    this.audioSeconds += audioSeconds;
    add(this.byAccount, account, workSeconds);
    add(this.weightedByAccount, account, workSeconds / TIER_WEIGHT[tier]);
    add(this.byGateway, gateway, workSeconds);
  }

  lost(reason: string, nowMs: number): void {
    this.losses.set(reason, (this.losses.get(reason) ?? 0) + 1);
    this.second(nowMs).lost += 1;
  }

  refused(nowMs: number): void {
    this.refusals += 1;
    this.second(nowMs).refused += 1;
  }

  /** Busy share of the slots from one second to another. */
  utilisation(from: number, until: number): number {
    const span = this.seconds.slice(from, until);
    const slotMs = span.reduce((sum, { slots }) => sum + 1000 * slots, 0);
    return slotMs === 0 ? 0 : span.reduce((sum, { busyMs }) => sum + busyMs, 0) / slotMs;
  }

  /** Utilisation in the ten seconds before the first refusal; undefined when nothing was refused. */
  get utilisationAtRefusal(): number | undefined {
    const first = this.seconds.findIndex(({ refused }) => refused > 0);
    return first < 0 ? undefined : this.utilisation(Math.max(0, first - 10), first);
  }

  /** Seconds after a fault until no more windows are lost and waits are as before it. */
  recovery(faultSecond: number): number {
    const before = Math.max(...this.seconds.slice(faultSecond - 20, faultSecond).map(slow));
    const after = this.seconds.slice(faultSecond);
    return after.findLastIndex((second) => second.lost > 0 || slow(second) > 2 * before + 500) + 1;
  }
}

const slow = ({ waits }: Second): number => waits.percentile(0.95);

/** Largest distance from the mean, as a share of it. */
export const spread = (values: readonly number[]): number => {
  const middle = mean(values);
  return middle === 0 ? 0 : Math.max(...values.map((value) => Math.abs(value - middle))) / middle;
};
