// Verifies compiled graphs by compiling the pinned files again, without trusting the record beside them.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compiledFolder } from '../../acoustic/compiled-files.ts';
import type { CatalogueModel } from '../catalogue.ts';
import type { FileProblem } from '../fault.ts';
import { sha256OfFile, stampOf } from '../files.ts';
import type { Compile } from './compile.ts';

/** Problems of compiled files, by file name. */
export const differencesFromRecompiled = async (
  compile: Compile,
  model: CatalogueModel,
  modelFolder: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileProblem>> => {
  const present = compiledFolder(modelFolder);
  // Per process, because two may verify at the same time.
  const anew = `${present}.verify-${process.pid}`;
  try {
    await mkdir(anew, { recursive: true });
    await compile(model, modelFolder, anew, signal);
    const names = new Set([...(await readdir(anew)), ...(await readdir(present).catch(() => []))]);
    const differences = new Map<string, FileProblem>();
    for (const name of names) {
      if (!(await stampOf(join(present, name)))) differences.set(name, 'missing');
      else if (!(await isSameFile(join(present, name), join(anew, name)))) differences.set(name, 'damaged');
    }
    return differences;
  } finally {
    await rm(anew, { recursive: true, force: true });
  }
};

const isSameFile = async (path: string, other: string): Promise<boolean> =>
  (await stampOf(other)) !== null && (await sha256OfFile(path)) === (await sha256OfFile(other));
