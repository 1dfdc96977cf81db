// Runs the graph compiler in a child process, because it needs seconds of CPU and a lot of memory.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../../lib/process/programs.ts';
import { lastOutput } from '../../process/last-output.ts';
import type { CatalogueModel } from '../catalogue.ts';

const ENTRY = fileURLToPath(programUrl('speech/store/compile/compile-entry'));

export type Compile = (
  model: CatalogueModel,
  sourceFolder: string,
  targetFolder: string,
  signal: AbortSignal,
) => Promise<void>;

export const compileInChild: Compile = ({ id, family }, sourceFolder, targetFolder, signal) =>
  new Promise((resolve, reject) => {
    const child = fork(ENTRY, [family, sourceFolder, targetFolder], {
      signal,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const stderrOf = lastOutput(child.stderr);
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve();
      else reject(new Error(`Compiling ${id} failed (${killedBy ?? `exit ${code}`}). ${stderrOf()}`));
    });
  });
