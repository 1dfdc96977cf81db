// Runs the command line in a process, as a shell would, or in a thread that many short commands share.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { StorageOptions } from '../../src/storage/open.ts';
import type { CommandCall, CommandEnd } from './command-thread.ts';

export const BIN = fileURLToPath(new URL('../../../bin/faircopy.js', import.meta.url));

export type CliOutcome = CommandEnd;

interface CliSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

export const runCliWith = ({ env, timeoutMs = 60_000 }: CliSettings, ...args: string[]): Promise<CliOutcome> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: timeoutMs };
    execFile(process.execPath, [BIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });

/**
 * Commands that open the database, print and end. Loading their code takes most of their time, so a thread keeps it.
 * The documents' commands (`test/docs`) run all of them in processes of their own.
 */
const SHORT: ReadonlySet<string | undefined> = new Set([
  ...['accounts', 'administrators', 'budgets', 'jobs', 'keys', 'members', 'receipts', 'usage'],
]);

let thread: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

const callThread = async (call: CommandCall): Promise<CliOutcome> => {
  thread ??= new Worker(new URL('./command-thread.js', import.meta.url), { stdin: true });
  thread.ref();
  thread.postMessage(call);
  const [end] = (await once(thread, 'message')) as [CliOutcome];
  thread.unref();
  return end;
};

const runInThread = (call: CommandCall): Promise<CliOutcome> => {
  const end = last.then(() => callThread(call));
  last = end.catch(() => undefined);
  return end;
};

export const runCli = ({ dataDir, databaseUrl = '' }: StorageOptions, ...args: string[]): Promise<CliOutcome> => {
  const env = { FAIRCOPY_DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  if (!SHORT.has(args[0])) return runCliWith({ env }, ...args);
  return runInThread({ args, env: { ...(process.env as Record<string, string>), ...env } });
};
