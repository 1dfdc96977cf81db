// Preloaded into every process of a measured service. In recognisers, writes the cost of the model calls to a file.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { COST_SUFFIX, FOLDER_PARAMETER, type ModelCost, WRITE_INTERVAL_MS } from './model-baseline.ts';
import { countModelCalls } from './model-calls.ts';
import { roleOf } from './process-role.ts';

const writeCosts = (folder: string): void => {
  const { loads, runs } = countModelCalls();
  const path = join(folder, `${process.pid}${COST_SUFFIX}`);
  let writtenRuns = 0;
  const write = (): void => {
    if (runs.calls === writtenRuns) return;
    writtenRuns = runs.calls;
    const cost: ModelCost = { loadWallMs: loads.wallMs, runCpuSeconds: runs.cpuMs / 1000 };
    // Renamed into place, so that a reader never sees half a file.
    writeFileSync(`${path}.new`, JSON.stringify(cost));
    renameSync(`${path}.new`, path);
  };
  setInterval(write, WRITE_INTERVAL_MS).unref();
};

const folder = new URL(import.meta.url).searchParams.get(FOLDER_PARAMETER);
if (folder && isMainThread && roleOf(process.argv[1] ?? '') === 'recognisers') writeCosts(folder);
