// The size and load of a simulated cluster.
import type { ModelId } from '@faircopy/contract';

export interface Plan {
  readonly workers: number;
  readonly slots: number;
  /** Speed of every worker; 0: a mix of machine generations. */
  readonly speed: number;
  readonly gateways: number;
  readonly natsServers: number;
  /** Number of tiers that callers ask for, starting with the first. */
  readonly tiers: number;
  readonly accounts: number;
  /** Live streams that are open at once. */
  readonly streams: number;
  /** Share of speech in the time of a stream. */
  readonly speechShare: number;
  /** Mean audio of a window. */
  readonly windowSeconds: number;
  /** Audio of arriving files, as a share of what all workers can recognise. */
  readonly fileLoad: number;
  /** Files that every account always has open, in addition to arriving files. */
  readonly filesPerAccount: number;
  /** Files that the greedy account always has open; 0: no greedy account. */
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

/** Measured core seconds per second of audio (docs/internals/performance.md), and each tier's share of the requests. */
export const TIERS: readonly { readonly tier: ModelId; readonly cost: number; readonly share: number }[] = [
  { tier: 'svc-1.0-lite', cost: 0.1, share: 0.5 },
  { tier: 'svc-1.0-pro', cost: 0.13, share: 0.35 },
  { tier: 'svc-1.0-max', cost: 0.25, share: 0.15 },
];

/** Machine generations: their speed, and their share of the machines. */
export const SPEEDS = [
  { speed: 0.7, share: 0.25 },
  { speed: 1, share: 0.5 },
  { speed: 1.6, share: 0.25 },
] as const;

const MEAN_COST = TIERS.reduce((sum, { cost, share }) => sum + cost * share, 0);
const MEAN_SPEED = SPEEDS.reduce((sum, { speed, share }) => sum + speed * share, 0);
/** Fixed cost of a window, in seconds of audio. */
const FIXED_AUDIO_SECONDS = 1;

const COST = new Map(TIERS.map(({ tier, cost }) => [tier, cost]));
/** Core seconds for a window. */
export const workOf = (tier: ModelId, audioSeconds: number): number =>
  COST.get(tier)! * (audioSeconds + FIXED_AUDIO_SECONDS);

/** Audio seconds per second that the whole cluster can recognise. */
export const capacityOf = ({ workers, slots, speed, windowSeconds }: Plan): number =>
  (workers * slots * (speed || MEAN_SPEED) * windowSeconds) / (MEAN_COST * (windowSeconds + FIXED_AUDIO_SECONDS));

/** Of callers that are refused. The client library uses the same formula, and begins at 250 ms. */
export const CALLER_BACK_OFF = { minMs: 500, maxMs: 8_000 } as const;

export type Random = () => number;

/** A random entry, weighted by its share. */
export const pick = <T extends { readonly share: number }>(random: Random, entries: readonly T[]): T => {
  let left = random();
  for (const entry of entries) {
    left -= entry.share;
    if (left < 0) return entry;
  }
  return entries.at(-1)!;
};
