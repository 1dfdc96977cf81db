// Numbers from 0 to 1, the same sequence for the same seed, so that a failure can be seen again.
export const seededRandom = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
