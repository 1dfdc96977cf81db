// The model calls of a service that is measured, counted in its own recognisers: what they take beside everything else.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { sum } from './figures.ts';

export const FOLDER_PARAMETER = 'folder';
export const WRITE_MS = 20;
export const COUNT_SUFFIX = '.calls';

/** What the environment of a service must say for its model calls to be counted in this folder. */
export const countingIn = (folder: string): Record<string, string> => {
  const counter = new URL('./call-counter.js', import.meta.url);
  // Recognisers are given few variables of their parent's, so the folder goes with the address of the code.
  counter.searchParams.set(FOLDER_PARAMETER, folder);
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${counter.href}`.trim() };
};

/** CPU seconds of all model calls so far. */
export const countedSeconds = async (folder: string): Promise<number> => {
  // A recogniser that has just answered may not have written yet.
  await later(5 * WRITE_MS);
  const names = (await readdir(folder)).filter((name) => name.endsWith(COUNT_SUFFIX));
  // Warming up is counted, so whoever is ready has written.
  if (names.length === 0) throw new Error('no recogniser of the service counts its calls');
  return sum(await Promise.all(names.map(async (name) => Number(await readFile(join(folder, name), 'utf8')))));
};
