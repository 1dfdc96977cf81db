// Copies of the SQLite database: made while a server runs, checked after they are written. restore.ts puts them back.
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openUnchanged, SCHEMA_VERSION, sqliteSchemaVersion } from '../inspect.ts';
import { NewerSchemaError } from '../migrate.ts';
import { FILE_NAME } from '../open.ts';

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

export const exists = (path: string): Promise<boolean> =>
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
  const folder = dirname(target);
  if (!(await exists(folder))) throw new BackupError(`There is no folder ${folder}.`);
  const draft = `${target}.${process.pid}.part`;
  try {
    return await writeCopy(new DatabaseSync(source, { timeout: 30_000 }), draft, target);
  } finally {
    await rm(draft, { force: true });
  }
};

/** Writes all of `source`, which it closes, to `draft`; reads that back, and gives it its name when it is whole. */
export const writeCopy = async (
  source: InstanceType<typeof DatabaseSync>,
  draft: string,
  target: string,
): Promise<Contents> => {
  try {
    await (await open(draft, 'wx', 0o600)).close();
    // Not prepared: a statement that is not collected yet would keep the file locked in this process.
    source.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
  } finally {
    source.close();
  }
  const contents = await verifyBackup(draft);
  await flush(draft);
  await rename(draft, target);
  await flush(dirname(target));
  return contents;
};

/** What was written or renamed here is on the disk afterwards. */
export const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
