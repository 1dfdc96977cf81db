// Restores a backup: at once if no server runs, otherwise at the server's next start.
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { fileExists } from '../../lib/files/file-exists.ts';
import { makeFolder } from '../../lib/files/make-folder.ts';
import { DataFolderInUseError, type DataFolderLock, lockDataFolder } from '../files/data-folder-lock.ts';
import { chownToFolderOwner } from '../files/owner.ts';
import { openReadOnly } from '../inspect.ts';
import { FILE_NAME } from '../open.ts';
import { primaryCode, RESULT } from '../sqlite/result-codes.ts';
import { type BackupContents, BackupError, syncToDisk, verifyBackup, writeCopy } from './backup.ts';

/** The verified backup that the next start restores. */
export const STAGED_NAME = `${FILE_NAME}.restore`;

export const hasStagedRestore = (dataDir: string): Promise<boolean> => fileExists(join(dataDir, STAGED_NAME));

export interface Restored {
  readonly contents: BackupContents;
  /** The path of the replaced database. */
  readonly previous: string | null;
}

export interface Staged {
  readonly contents: BackupContents;
  /** The running server, which restores the backup at its next start. */
  readonly pid: number | null;
  readonly staged: string;
}

/** Every step leaves either the old or the new database intact; if killed, the next start resumes. */
export const restore = async (dataDir: string, source: string, { force = false } = {}): Promise<Restored | Staged> => {
  if (!(await fileExists(source))) throw new BackupError(`There is no file ${source}.`);
  await verifyBackup(source);
  await makeFolder(dataDir, 0o700);
  const target = join(dataDir, FILE_NAME);
  if (await fileExists(target)) {
    if ((await realpath(source)) === (await realpath(target)))
      throw new BackupError(`${source} is the database itself, not a copy of it.`);
    if (!force) throw new BackupError(`${dataDir} already has a database; --force renames it and restores the backup.`);
  }
  const held = await lockOrHolder(dataDir);
  try {
    const contents = await stage(dataDir, source);
    if (held instanceof DataFolderInUseError) return { contents, pid: held.pid, staged: join(dataDir, STAGED_NAME) };
    try {
      return (await applyStagedRestore(dataDir))!;
    } catch (cause) {
      // The command reports a failure, so the next start must not restore.
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

const stage = async (dataDir: string, source: string): Promise<BackupContents> => {
  const staged = join(dataDir, STAGED_NAME);
  const draft = `${staged}.${process.pid}.part`;
  try {
    // Copied by SQLite, not byte by byte: rows in the source's write-ahead log are included.
    const contents = await writeCopy(await openReadOnly(source), draft, staged);
    await chownToFolderOwner(staged);
    return contents;
  } finally {
    await rm(draft, { force: true });
  }
};

/** Call this at start, with the data folder locked. Null if nothing is staged. */
export const applyStagedRestore = async (dataDir: string): Promise<Restored | null> => {
  const staged = join(dataDir, STAGED_NAME);
  if (!(await fileExists(staged))) return null;
  const contents = await verifyBackup(staged).catch((cause: Error) => {
    throw new BackupError(`${cause.message} Delete ${staged} to keep the current database.`, { cause });
  });
  const target = join(dataDir, FILE_NAME);
  const hadDatabase = await fileExists(target);
  // Named after the copy's time, so that a resumed attempt uses the same name.
  const at = new Date(Math.floor((await stat(staged)).mtimeMs)).toISOString().replace(/[-:.]/g, '');
  const previous = hadDatabase ? `${target}.before-restore-${at}` : null;
  if (previous === null) await rename(staged, target);
  else if (!swapUnderLock(target, staged, previous)) swapDamaged(target, staged, previous);
  await syncToDisk(dataDir);
  return { contents, previous };
};

/** Links the old file to a second name and moves the new file into place. False if the old file is corrupt. */
const swapUnderLock = (target: string, staged: string, previous: string): boolean => {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = new DatabaseSync(target, { timeout: 5_000 });
    // Checkpoints and removes the write-ahead log, which SQLite would otherwise apply to the new file. Keeps the lock,
    // so that no command writes to the old file meanwhile.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    if (existsSync(`${target}-wal`)) throw inUse(target);
    linkOrCopy(target, previous);
    renameSync(staged, target);
    return true;
  } catch (cause) {
    const code = primaryCode((cause as { errcode?: number }).errcode);
    if (code === RESULT.CORRUPT || code === RESULT.NOTADB) return false;
    throw code === RESULT.BUSY ? inUse(target) : cause;
  } finally {
    db?.close();
  }
};

/** Keeps the corrupt file and its write-ahead log, so that data can be recovered from them. */
const swapDamaged = (target: string, staged: string, previous: string): void => {
  linkOrCopy(target, previous);
  if (existsSync(`${target}-wal`)) linkOrCopy(`${target}-wal`, `${previous}-wal`);
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${target}${suffix}`, { force: true });
  renameSync(staged, target);
};

/** Gives a file a second name. A rename would leave a moment without a database. */
const linkOrCopy = (path: string, copy: string): void => {
  try {
    linkSync(path, copy);
  } catch {
    // The file system has no hard links, or a killed attempt left this name behind.
    copyFileSync(path, `${copy}.part`);
    renameSync(`${copy}.part`, copy);
  }
};

const inUse = (path: string): BackupError =>
  new BackupError(`${path} is in use by another command. Try again when it has finished.`);
