// The model baseline: the cost of the model calls alone, counted inside the recognisers of the measured service.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { sum } from './statistics.ts';

export const FOLDER_PARAMETER = 'folder';
export const WRITE_INTERVAL_MS = 20;
export const COST_SUFFIX = '.model-cost.json';

/** The cost of one recogniser process. */
export interface ModelCost {
  readonly loadWallMs: number;
  readonly runCpuSeconds: number;
}

/** The cost of the whole service. */
export interface ModelBaseline {
  /** Of the recogniser that took longest to open its sessions. Recognisers load in parallel. */
  readonly loadMs: number;
  /** CPU time inside `session.run` so far. */
  readonly cpuSeconds: number;
}

/** Environment variables with which a service writes the cost of its model calls to this folder. */
export const countingEnv = (folder: string): Record<string, string> => {
  const preload = new URL('./model-call-preload.js', import.meta.url);
  // Recognisers inherit few environment variables, so the folder is passed in the URL of the preloaded script.
  preload.searchParams.set(FOLDER_PARAMETER, folder);
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${preload.href}`.trim() };
};

export const readModelBaseline = async (folder: string): Promise<ModelBaseline> => {
  // A recogniser that has just answered may not have written its cost yet.
  await later(5 * WRITE_INTERVAL_MS);
  const names = (await readdir(folder)).filter((name) => name.endsWith(COST_SUFFIX));
  // Warming up runs the models, so a ready service has written its cost.
  if (names.length === 0) throw new Error('no recogniser of the service counts its model calls');
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const costs = texts.map((text) => JSON.parse(text) as ModelCost);
  return {
    loadMs: Math.max(...costs.map(({ loadWallMs }) => loadWallMs)),
    cpuSeconds: sum(costs.map(({ runCpuSeconds }) => runCpuSeconds)),
  };
};
