// Runs a model's preparation in a child process: it takes seconds of computing and a lot of memory.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('./compile-entry.js', import.meta.url));

export type Prepare = (
  modelId: string,
  sourceFolder: string,
  targetFolder: string,
  signal: AbortSignal,
) => Promise<void>;

export const compileInChild: Prepare = (modelId, sourceFolder, targetFolder, signal) =>
  new Promise((resolve, reject) => {
    const child = fork(ENTRY, [modelId, sourceFolder, targetFolder], {
      signal,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-4_000);
    });
    child.on('error', reject);
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve();
      else reject(new Error(`Preparing ${modelId} failed (${killedBy ?? `exit ${code}`}). ${complaint.trim()}`));
    });
  });
