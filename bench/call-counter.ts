// Preloaded into every process of a service: in a recogniser it counts the CPU time of the model calls.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { COUNT_SUFFIX, FOLDER_PARAMETER, WRITE_MS } from './counted-calls.ts';
import { watchModels } from './model-runs.ts';

const count = (folder: string): void => {
  const { calls } = watchModels().soFar;
  const path = join(folder, `${process.pid}${COUNT_SUFFIX}`);
  let written = 0;
  const write = (): void => {
    if (calls.calls === written) return;
    written = calls.calls;
    // By renaming, so that nobody reads half a number.
    writeFileSync(`${path}.new`, String(calls.cpuMs / 1000));
    renameSync(`${path}.new`, path);
  };
  setInterval(write, WRITE_MS).unref();
};

const folder = new URL(import.meta.url).searchParams.get(FOLDER_PARAMETER);
if (folder && isMainThread && process.argv[1]?.includes('recogniser-entry')) count(folder);
