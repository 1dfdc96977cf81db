// Backs up the SQLite database, also while a server runs, and verifies the copy. See restore.ts for the way back.
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { fileExists } from '../../lib/files/file-exists.ts';
import { openReadOnly, SCHEMA_VERSION, sqliteSchemaVersion } from '../inspect.ts';
import { NewerSchemaError } from '../migrate.ts';
import { FILE_NAME } from '../open.ts';

/** A summary of a backup, shown to the operator. */
export interface BackupContents {
  readonly schemaVersion: number;
  readonly accounts: number;
  readonly usageRecords: number;
}

/** The message is a full sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Checks every page of a file and counts its accounts and usage records. */
export const verifyBackup = async (path: string): Promise<BackupContents> => {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    db = await openReadOnly(path);
    const schemaVersion = sqliteSchemaVersion(db);
    if (schemaVersion === null) throw new BackupError(`${path} is not a Faircopy database.`);
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

/** Writes a snapshot of the database. The target file appears only after the copy is complete and verified. */
export const backUp = async (dataDir: string, target: string, { force = false } = {}): Promise<BackupContents> => {
  const source = join(dataDir, FILE_NAME);
  if (!(await fileExists(source))) throw new BackupError(`There is no database in ${dataDir}.`);
  if (!force && (await fileExists(target))) throw new BackupError(`${target} already exists; --force replaces it.`);
  const folder = dirname(target);
  if (!(await fileExists(folder))) throw new BackupError(`There is no folder ${folder}.`);
  const draft = `${target}.${process.pid}.part`;
  try {
    return await writeCopy(new DatabaseSync(source, { timeout: 30_000 }), draft, target);
  } finally {
    await rm(draft, { force: true });
  }
};

/** Copies `source` to `draft`, verifies the draft and renames it to `target`. Closes `source`. */
export const writeCopy = async (
  source: InstanceType<typeof DatabaseSync>,
  draft: string,
  target: string,
): Promise<BackupContents> => {
  try {
    await (await open(draft, 'wx', 0o600)).close();
    // exec, not prepare: an uncollected prepared statement would keep the file locked in this process.
    source.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
  } finally {
    source.close();
  }
  const contents = await verifyBackup(draft);
  await syncToDisk(draft);
  await rename(draft, target);
  await syncToDisk(dirname(target));
  return contents;
};

/** Calls fsync on a file or folder. */
export const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
