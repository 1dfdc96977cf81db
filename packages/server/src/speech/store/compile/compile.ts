// Runs the graph compiler in a child process: it needs seconds of CPU and much memory.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../../lib/process/programs.ts';
import type { CatalogueModel } from '../catalogue.ts';

const ENTRY = fileURLToPath(programUrl('speech/store/compile/compile-entry'));
const STDERR_CHARS_MAX = 4_000;

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
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_CHARS_MAX);
    });
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve();
      else reject(new Error(`Compiling ${id} failed (${killedBy ?? `exit ${code}`}). ${stderr.trim()}`));
    });
  });
