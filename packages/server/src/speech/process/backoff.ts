// How long to wait before a process that died is started again.

const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** So many failures to load in a row mean that loading does not work, rather than that it once went wrong. */
export const LOAD_FAILURES_MAX = 3;

/** A death after good work costs nothing; deaths at load cost twice as much each time. */
export const restartDelayMs = (failuresInARow: number): number =>
  failuresInARow === 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failuresInARow - 1));
