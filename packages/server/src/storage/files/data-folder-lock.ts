// Allows one server per data folder: a file lock that the operating system frees when the process dies, plus a pid file.
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { lockFile } from './file-lock.ts';
import { chownToFolderOwner } from './owner.ts';

export const LOCK_FILES = ['faircopy.lock', 'faircopy.pid'] as const;
const [LOCK_FILE, PID_FILE] = LOCK_FILES;

/** Another server or a restore holds the lock. */
export class DataFolderInUseError extends Error {
  readonly pid: number | null;
  constructor(folder: string, pid: number | null) {
    super(
      `The data folder ${folder} is in use by ${pid === null ? 'another server' : `the server with pid ${pid}`}. ` +
        'Stop that server first, or set a different FAIRCOPY_DATA_DIR. To run several servers, use PostgreSQL (DATABASE_URL).',
    );
    this.name = 'DataFolderInUseError';
    this.pid = pid;
  }
}

export interface DataFolderLock {
  close(): Promise<void>;
}

/** Creates the folder if it is missing. */
export const lockDataFolder = async (folder: string): Promise<DataFolderLock> => {
  await makeFolder(folder, 0o700);
  await (await open(join(folder, LOCK_FILE), 'a', 0o600)).close();
  await chownToFolderOwner(join(folder, LOCK_FILE));
  const lock = lockFile(join(folder, LOCK_FILE));
  if (lock === null) throw new DataFolderInUseError(folder, await holderOf(folder));
  await writeFile(join(folder, PID_FILE), `${process.pid}\n`, { mode: 0o600 });
  return {
    close: async () => {
      await rm(join(folder, PID_FILE), { force: true });
      lock.close();
    },
  };
};

/** The pid of the server that holds the folder; null if it is free. Creates no files. */
export const dataFolderHolder = async (folder: string): Promise<number | null> => {
  const pid = await holderOf(folder);
  if (pid === null) return null;
  const lock = lockFile(join(folder, LOCK_FILE));
  lock?.close();
  return lock === null ? pid : null;
};

const holderOf = async (folder: string): Promise<number | null> => {
  const text = await readFile(join(folder, PID_FILE), 'utf8').catch(() => '');
  return /^\d+\n$/.test(text) ? Number(text) : null;
};
