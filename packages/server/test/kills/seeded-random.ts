// Random numbers from 0 to 1, reproducible by seed.
export const seededRandom = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
