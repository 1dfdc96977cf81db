// How fast a model reads on this machine, kept beside its files in the store.
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { COMPILED_KIND } from '../acoustic/compiled-files.ts';
import type { Execution } from '../acoustic/open-session.ts';
import { writeJsonAtomically } from '../store/files.ts';

const FILE = 'speed.json';
/** Machines that share a store. */
const MACHINES_MAX = 64;

/** Seconds of speech read per second by one recogniser, by kind of machine. */
const speeds = z.record(z.string(), z.number().positive());

/** Containers have new names at every start, so the parts that make a machine fast are its name. */
export const machineKind = (execution: Execution): string =>
  [cpus()[0]?.model.trim() || process.arch, `${availableParallelism()} cores`, execution, COMPILED_KIND].join(', ');

const readAll = async (modelFolder: string): Promise<z.infer<typeof speeds>> => {
  try {
    return speeds.parse(JSON.parse(await readFile(join(modelFolder, FILE), 'utf8')));
  } catch {
    // Not measured yet, or to be measured again.
    return {};
  }
};

/** Null: not measured yet. */
export const readSpeed = async (modelFolder: string, machine: string): Promise<number | null> =>
  (await readAll(modelFolder))[machine] ?? null;

export const writeSpeed = async (modelFolder: string, machine: string, speed: number): Promise<void> => {
  const { [machine]: _before, ...others } = await readAll(modelFolder);
  const kept = Object.entries(others).slice(1 - MACHINES_MAX);
  await writeJsonAtomically(join(modelFolder, FILE), { ...Object.fromEntries(kept), [machine]: speed });
};
