// Random choices that a seed makes reproducible.
import { seededRandom } from '../../../src/lib/seeded-random.ts';

export interface Random {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  chance(share: number): boolean;
}

export const randomFrom = (seed: number): Random => {
  const next = seededRandom(seed);
  return {
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
    chance: (share) => next() < share,
  };
};

/** Draws small numbers as often as large ones. */
export const anyNumber = (random: Random, max: number): number => {
  const digits = random.int(1, String(max).length);
  const value = random.int(0, Math.min(max, 10 ** digits - 1));
  const round = random.chance(0.3) ? 10 ** random.int(0, digits - 1) : 1;
  return Math.max(value - (value % round), random.chance(0.9) ? 2 : 0);
};
