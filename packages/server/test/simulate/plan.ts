// The size and load of a simulated cluster.
import type { ModelId } from '@faircopy/contract';

export interface Plan {
  readonly workers: number;
  readonly slots: number;
  /** Of every worker; 0: machines of several generations. */
  readonly speed: number;
  readonly gateways: number;
  readonly natsServers: number;
  /** How many of the tiers callers ask for: all, or only the first ones. */
  readonly tiers: number;
  readonly accounts: number;
  /** Live streams that are open at once. */
  readonly streams: number;
  /** Share of the time in which somebody speaks in a stream. */
  readonly speechShare: number;
  /** Mean audio of a window. */
  readonly windowSeconds: number;
  /** Audio of files that arrives, as a share of what all workers can recognise. */
  readonly fileLoad: number;
  /** Files that every account always has open, besides those that arrive. */
  readonly filesPerAccount: number;
  /** Files that the greedy account always has open; 0: there is none. */
  readonly greedyFiles: number;
  /** Share of the workers behind a slow link. */
  readonly slowLinks: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly seed: number;
}

export const DEFAULT_PLAN: Plan = {
  workers: 1_000,
  slots: 16,
  speed: 0,
  gateways: 50,
  natsServers: 3,
  tiers: 3,
  accounts: 200,
  streams: 100_000,
  speechShare: 0.6,
  windowSeconds: 10,
  fileLoad: 0.2,
  filesPerAccount: 0,
  greedyFiles: 0,
  slowLinks: 0.05,
  seconds: 60,
  warmUpSeconds: 20,
  seed: 1,
};

/** Seconds of a core per second of audio, as measured (docs/internals/performance.md), and how often a tier is asked for. */
export const TIERS: readonly { readonly tier: ModelId; readonly cost: number; readonly share: number }[] = [
  { tier: 'svc-1.0-lite', cost: 0.1, share: 0.5 },
  { tier: 'svc-1.0-pro', cost: 0.13, share: 0.35 },
  { tier: 'svc-1.0-max', cost: 0.25, share: 0.15 },
];

/** Machines of several generations: speeds, and how common each is. */
export const SPEEDS = [
  { speed: 0.7, share: 0.25 },
  { speed: 1, share: 0.5 },
  { speed: 1.6, share: 0.25 },
] as const;

export const MEAN_COST = TIERS.reduce((sum, { cost, share }) => sum + cost * share, 0);
export const MEAN_SPEED = SPEEDS.reduce((sum, { speed, share }) => sum + speed * share, 0);
/** Fixed cost of a window, in seconds of audio. */
const FIXED_AUDIO_SECONDS = 1;

const COST = new Map(TIERS.map(({ tier, cost }) => [tier, cost]));
/** Seconds of a core for a window. */
export const workOf = (tier: ModelId, audioSeconds: number): number =>
  COST.get(tier)! * (audioSeconds + FIXED_AUDIO_SECONDS);

/** Audio seconds per second that the whole cluster can recognise. */
export const capacityOf = ({ workers, slots, speed, windowSeconds }: Plan): number =>
  (workers * slots * (speed || MEAN_SPEED) * windowSeconds) / (MEAN_COST * (windowSeconds + FIXED_AUDIO_SECONDS));

export type Random = () => number;

/** One of the entries, as often as its share says. */
export const pick = <T extends { readonly share: number }>(random: Random, entries: readonly T[]): T => {
  let left = random();
  for (const entry of entries) {
    left -= entry.share;
    if (left < 0) return entry;
  }
  return entries.at(-1)!;
};
