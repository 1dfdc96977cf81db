// Runs the real command line in a process of its own, as a person in a shell would.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StorageOptions } from '../../src/storage/open.ts';

export const BIN = fileURLToPath(new URL('../../../bin/faircopy.js', import.meta.url));

export interface CliOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const runCli = (database: StorageOptions, ...args: string[]): Promise<CliOutcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, FAIRCOPY_DATA_DIR: database.dataDir, DATABASE_URL: database.databaseUrl ?? '' };
    execFile(process.execPath, [BIN, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
