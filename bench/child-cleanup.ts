// Kills the child processes of an interrupted benchmark.
import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

let isWatching = false;

const watch = (): void => {
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
};

/** Kills the child when this process exits. Call the result once the child has been stopped. */
export const killOnExit = (child: ChildProcess): (() => void) => {
  watch();
  children.add(child);
  return () => children.delete(child);
};
