// Copies of the SQLite database: made while a server runs, checked after they are written, put back when none runs.
import { access, chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { lockDataFolder } from './data-folder-lock.ts';
import { openUnchanged, SCHEMA_VERSION, sqliteSchemaVersion } from './inspect.ts';
import { NewerSchemaError } from './migrate.ts';
import { FILE_NAME } from './open.ts';

/** What a file holds, as told to the operator. */
export interface Contents {
  readonly schemaVersion: number;
  readonly accounts: number;
  readonly usageRecords: number;
}

/** A copy that cannot be made or used: one sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Reads every page of a file and counts what is in it. */
export const verifyBackup = async (path: string): Promise<Contents> => {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = await openUnchanged(path);
    const schemaVersion = sqliteSchemaVersion(db);
    if (schemaVersion === null) throw new BackupError(`${path} is no database of Faircopy.`);
    if (schemaVersion > SCHEMA_VERSION) throw new NewerSchemaError(schemaVersion, SCHEMA_VERSION);
    const [found] = db.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[];
    if (found?.integrity_check !== 'ok') throw new BackupError(`${path} is damaged: ${found?.integrity_check}.`);
    if (db.prepare('pragma foreign_key_check').all().length > 0)
      throw new BackupError(`${path} is damaged: rows are missing.`);
    const count = (table: string): number =>
      Number((db!.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n);
    return { schemaVersion, accounts: count('accounts'), usageRecords: count('usage_records') };
  } catch (cause) {
    if (cause instanceof BackupError || cause instanceof NewerSchemaError) throw cause;
    throw new BackupError(`${path} cannot be used: ${(cause as Error).message}.`, { cause });
  } finally {
    db?.close();
  }
};

/** Writes a copy of the database as it is at this moment. The file appears when it is whole and checked. */
export const backUp = async (dataDir: string, target: string, { force = false } = {}): Promise<Contents> => {
  const source = join(dataDir, FILE_NAME);
  if (!(await exists(source))) throw new BackupError(`There is no database in ${dataDir}.`);
  if (!force && (await exists(target))) throw new BackupError(`${target} exists already; --force replaces it.`);
  const draft = `${target}.${process.pid}.part`;
  try {
    await (await open(draft, 'wx', 0o600)).close();
    const db = new DatabaseSync(source, { timeout: 30_000 });
    try {
      db.prepare('VACUUM INTO ?').run(draft);
    } finally {
      db.close();
    }
    const contents = await verifyBackup(draft);
    await flush(draft);
    await rename(draft, target);
    await flush(dirname(target));
    return contents;
  } finally {
    await rm(draft, { force: true });
  }
};

export interface Restored {
  readonly contents: Contents;
  /** Where the database that was there before is now. */
  readonly previous: string | null;
}

/** Puts a copy in the place of the database, which no server may use meanwhile. The old one is kept beside it. */
export const restore = async (
  dataDir: string,
  source: string,
  { force = false, nowMs = Date.now() } = {},
): Promise<Restored> => {
  await verifyBackup(source);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDataFolder(dataDir);
  const target = join(dataDir, FILE_NAME);
  const draft = `${target}.${process.pid}.part`;
  try {
    const isTaken = await exists(target);
    if (isTaken && !force)
      throw new BackupError(`${dataDir} has a database already; --force keeps it aside and restores.`);
    await copyFile(source, draft);
    await chmod(draft, 0o600);
    const contents = await verifyBackup(draft);
    await flush(draft);
    const previous = isTaken ? await setAside(target, nowMs) : null;
    await rename(draft, target);
    await flush(dataDir);
    return { contents, previous };
  } finally {
    await rm(draft, { force: true });
    await lock.close();
  }
};

/** Folds the write-ahead log into the old file first, so that one file is all of it. */
const setAside = async (path: string, nowMs: number): Promise<string> => {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  try {
    const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    if (busy !== 0) throw new BackupError(`${path} is being used by another command. Try again when it has ended.`);
  } finally {
    db.close();
  }
  const aside = `${path}.before-restore-${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}`;
  await rename(path, aside);
  // Empty by now; beside the new file they would be taken for its own.
  for (const suffix of ['-wal', '-shm']) await rm(`${path}${suffix}`, { force: true });
  return aside;
};

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
