// A benchmark that is broken off takes its children with it.
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

/** Call the result once the child is ended in the proper way. */
export const neverLeaveBehind = (child: ChildProcess): (() => void) => {
  watch();
  children.add(child);
  return () => children.delete(child);
};
