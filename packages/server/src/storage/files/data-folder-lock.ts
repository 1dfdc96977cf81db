// One server per data folder: a lock that the operating system frees when its holder dies, and the holder's pid beside it.
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeFolder } from '../../lib/make-folder.ts';
import { giveToFolderOwner } from './owner.ts';

export const LOCK_FILES = ['faircopy.lock', 'faircopy.pid'] as const;
const [LOCK_FILE, PID_FILE] = LOCK_FILES;
const SQLITE_BUSY = 5;

/** Another server, or a restore, uses the folder. */
export class DataFolderInUseError extends Error {
  readonly pid: number | null;
  constructor(folder: string, pid: number | null) {
    super(
      `The data folder ${folder} is in use by ${pid === null ? 'another server' : `the server with pid ${pid}`}. ` +
        'Stop that one first, or give this one its own FAIRCOPY_DATA_DIR; several servers share a PostgreSQL (DATABASE_URL).',
    );
    this.name = 'DataFolderInUseError';
    this.pid = pid;
  }
}

export interface DataFolderLock {
  close(): Promise<void>;
}

/** Makes the folder when there is none. */
export const lockDataFolder = async (folder: string): Promise<DataFolderLock> => {
  await makeFolder(folder, 0o700);
  await (await open(join(folder, LOCK_FILE), 'a', 0o600)).close();
  await giveToFolderOwner(join(folder, LOCK_FILE));
  const lock = takeLock(folder);
  if (lock === null) throw new DataFolderInUseError(folder, await holderOf(folder));
  await writeFile(join(folder, PID_FILE), `${process.pid}\n`, { mode: 0o600 });
  return {
    close: async () => {
      await rm(join(folder, PID_FILE), { force: true });
      lock.close();
    },
  };
};

/** The pid of the server that uses a folder; null when none does. Creates nothing. */
export const dataFolderHolder = async (folder: string): Promise<number | null> => {
  const pid = await holderOf(folder);
  if (pid === null) return null;
  const lock = takeLock(folder);
  lock?.close();
  return lock === null ? pid : null;
};

/** An exclusive lock of SQLite is the one lock in reach of Node that ends with the process, however that ends. */
const takeLock = (folder: string): InstanceType<typeof DatabaseSync> | null => {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw cause;
  }
};

const holderOf = async (folder: string): Promise<number | null> => {
  const text = await readFile(join(folder, PID_FILE), 'utf8').catch(() => '');
  return /^\d+\n$/.test(text) ? Number(text) : null;
};
