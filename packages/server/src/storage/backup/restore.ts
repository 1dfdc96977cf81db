// Puts a copy back in the place of the database: at once when no server runs, else at the server's next start.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeFolder } from '../../lib/make-folder.ts';
import { DataFolderInUseError, type DataFolderLock, lockDataFolder } from '../files/data-folder-lock.ts';
import { giveToFolderOwner } from '../files/owner.ts';
import { openUnchanged } from '../inspect.ts';
import { FILE_NAME } from '../open.ts';
import { BackupError, type Contents, exists, flush, verifyBackup, writeCopy } from './backup.ts';

/** A whole, checked copy that waits under this name in the data folder. */
export const STAGED_NAME = `${FILE_NAME}.restore`;

export const hasStaged = (dataDir: string): Promise<boolean> => exists(join(dataDir, STAGED_NAME));

export interface Restored {
  readonly contents: Contents;
  /** Where the database that was there before is now. */
  readonly previous: string | null;
}

export interface Staged {
  readonly contents: Contents;
  /** The server that goes on with the database as it is, and takes the copy up at its next start. */
  readonly pid: number | null;
  readonly staged: string;
}

/** Every step leaves the old database or the new one, whole: killed in between, the next start goes on. */
export const restore = async (dataDir: string, source: string, { force = false } = {}): Promise<Restored | Staged> => {
  if (!(await exists(source))) throw new BackupError(`There is no file ${source}.`);
  await verifyBackup(source);
  await makeFolder(dataDir, 0o700);
  const target = join(dataDir, FILE_NAME);
  if (await exists(target)) {
    if ((await realpath(source)) === (await realpath(target)))
      throw new BackupError(`${source} is the database itself, no copy of it.`);
    if (!force) throw new BackupError(`${dataDir} has a database already; --force keeps it aside and restores.`);
  }
  const held = await lockOrHolder(dataDir);
  try {
    const contents = await stage(dataDir, source);
    if (held instanceof DataFolderInUseError) return { contents, pid: held.pid, staged: join(dataDir, STAGED_NAME) };
    try {
      return (await takeUpStaged(dataDir))!;
    } catch (cause) {
      // Whoever is told that it failed does not expect it at the next start.
      await rm(join(dataDir, STAGED_NAME), { force: true });
      throw cause;
    }
  } finally {
    if (!(held instanceof DataFolderInUseError)) await held.close();
  }
};

const lockOrHolder = (dataDir: string): Promise<DataFolderLock | DataFolderInUseError> =>
  lockDataFolder(dataDir).catch((cause) => {
    if (cause instanceof DataFolderInUseError) return cause;
    throw cause;
  });

const stage = async (dataDir: string, source: string): Promise<Contents> => {
  const staged = join(dataDir, STAGED_NAME);
  const draft = `${staged}.${process.pid}.part`;
  try {
    // Through SQLite: rows that are still in a write-ahead log beside the source come along.
    const contents = await writeCopy(await openUnchanged(source), draft, staged);
    await giveToFolderOwner(staged);
    return contents;
  } finally {
    await rm(draft, { force: true });
  }
};

/** Called at start, with the data folder locked. Null when nothing is staged. */
export const takeUpStaged = async (dataDir: string): Promise<Restored | null> => {
  const staged = join(dataDir, STAGED_NAME);
  if (!(await exists(staged))) return null;
  const contents = await verifyBackup(staged).catch((cause: Error) => {
    throw new BackupError(`${cause.message} Delete ${staged} to go on with the database as it is.`, { cause });
  });
  const target = join(dataDir, FILE_NAME);
  const hadDatabase = await exists(target);
  // By the copy's time: an attempt that was killed half-way gives the same name.
  const at = new Date(Math.floor((await stat(staged)).mtimeMs)).toISOString().replace(/[-:.]/g, '');
  const previous = hadDatabase ? `${target}.before-restore-${at}` : null;
  if (previous === null) await rename(staged, target);
  else if (!swapUnderLock(target, staged, previous)) swapDamaged(target, staged, previous);
  await flush(dataDir);
  return { contents, previous };
};

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

/** Keeps the old file under a second name and puts the new one in its place. False when the old one cannot be read. */
const swapUnderLock = (target: string, staged: string, previous: string): boolean => {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(target, { timeout: 5_000 });
    // Folds the write-ahead log in and removes it: beside the new file it would be taken for its own. The lock that
    // this needs is then kept, so that no command writes to the old file meanwhile.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    if (existsSync(`${target}-wal`)) throw inUse(target);
    keep(target, previous);
    renameSync(staged, target);
    return true;
  } catch (cause) {
    const code = ((cause as { errcode?: number }).errcode ?? 0) & 0xff;
    if (code === SQLITE_CORRUPT || code === SQLITE_NOT_A_DATABASE) return false;
    throw code === SQLITE_BUSY ? inUse(target) : cause;
  } finally {
    db?.close();
  }
};

/** The old file is kept, with what is left of its write-ahead log, for whoever may read something of it. */
const swapDamaged = (target: string, staged: string, previous: string): void => {
  keep(target, previous);
  if (existsSync(`${target}-wal`)) keep(`${target}-wal`, `${previous}-wal`);
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${target}${suffix}`, { force: true });
  renameSync(staged, target);
};

/** Gives a file a second name: a rename would leave a moment in which there is no database. */
const keep = (path: string, kept: string): void => {
  try {
    linkSync(path, kept);
  } catch {
    // No hard links here, or the name is left from an attempt that was killed.
    copyFileSync(path, `${kept}.part`);
    renameSync(`${kept}.part`, kept);
  }
};

const inUse = (path: string): BackupError =>
  new BackupError(`${path} is being used by another command. Try again when it has ended.`);
