// The measured speed of a model on this machine, stored beside the model's files.
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { COMPILED_KIND } from '../acoustic/compiled-files.ts';
import type { Execution } from '../acoustic/open-session.ts';
import { writeJsonAtomically } from '../store/files.ts';

const FILE = 'speed.json';
/** Kinds of machines kept per store; the one measured longest ago is dropped. */
const MACHINES_MAX = 64;

/** Seconds of speech transcribed per second by one recogniser, by kind of machine. */
const speeds = z.record(z.string(), z.number().positive());

/** Identifies a machine by what determines its speed, because containers get a new name at every start. */
export const machineKind = (execution: Execution): string =>
  [cpus()[0]?.model.trim() || process.arch, `${availableParallelism()} cores`, execution, COMPILED_KIND].join(', ');

const readAll = async (modelFolder: string): Promise<z.infer<typeof speeds>> => {
  try {
    return speeds.parse(JSON.parse(await readFile(join(modelFolder, FILE), 'utf8')));
  } catch {
    // Not measured yet, or unreadable: it will be measured again.
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
