// Runs the command line in a process, as a shell would.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StorageOptions } from '../../src/storage/open.ts';

export const BIN = fileURLToPath(new URL('../../../bin/faircopy.js', import.meta.url));

export interface CliOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

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

export const runCli = ({ dataDir, databaseUrl = '' }: StorageOptions, ...args: string[]): Promise<CliOutcome> =>
  runCliWith({ env: { FAIRCOPY_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } }, ...args);
