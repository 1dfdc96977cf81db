// How long to wait before a process is restarted.

const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** Consecutive load failures after which loading counts as broken. */
export const LOAD_FAILURES_MAX = 3;

/** A process that died at work restarts at once; delays after failed loads double. */
export const restartDelayMs = (failuresInARow: number): number =>
  failuresInARow === 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failuresInARow - 1));
