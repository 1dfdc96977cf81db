// Runs the command line in a process, as a shell would, or in a thread that many short commands share.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Finding } from '../../src/cli/check/finding.ts';
import type { StorageOptions } from '../../src/storage/open.ts';
import type { CommandCall, CommandEnd } from './command-thread.ts';

export const BIN = fileURLToPath(new URL('../../../bin/faircopy.js', import.meta.url));

export type CliOutcome = CommandEnd;

interface CliSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
  /** Standard input. Default: empty. */
  readonly input?: Buffer;
}

export const runCliWith = (
  { env, timeoutMs = 60_000, input = Buffer.alloc(0) }: CliSettings,
  ...args: string[]
): Promise<CliOutcome> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: timeoutMs };
    const child = execFile(process.execPath, [BIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

/** Runs `faircopy check`. */
export const runCheck = async (env: Readonly<Record<string, string>>, ...options: string[]) => {
  const { code, stdout } = await runCliWith({ env: { PORT: '0', ...env } }, 'check', '--json', ...options);
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return { code, findings };
};

/** A folder that is removed after the test. */
export const emptyFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-cli-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/**
 * Commands that open the database, print and exit. Loading their code takes most of their time, so a thread keeps it
 * loaded. The commands in the documents (`test/docs`) all run in separate processes.
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
