// Looks at a database without changing it: which schema it has, and whether this release can use it.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';
import { NewerSchemaError } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { FILE_NAME } from './open.ts';
import { postgresDialect } from './postgres.ts';

export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Opens a SQLite file to read it only. Without a write-ahead log beside it nothing is created either. */
export const openUnchanged = async (path: string): Promise<InstanceType<typeof DatabaseSync>> => {
  const url = pathToFileURL(path);
  // Somebody has it open, or was killed: the newest rows are in the log, which must be read along.
  if (!(await exists(`${path}-wal`))) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url.href, { readOnly: true });
};

/** Null when the file has no schema of ours. Throws when it is no database. */
export const sqliteSchemaVersion = (db: InstanceType<typeof DatabaseSync>): number | null => {
  const found = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'").get();
  if (!found) return null;
  const { version } = db.prepare('select max(version) as version from schema_migrations').get() as { version: number };
  return version;
};

/** The schema of the configured database: null when there is none yet. Throws when it cannot be used. */
export const schemaVersion = async (options: {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}): Promise<number | null> => {
  const version =
    options.databaseUrl === undefined
      ? await sqliteVersion(join(options.dataDir, FILE_NAME))
      : await postgresVersion(options.databaseUrl);
  if (version !== null && version > SCHEMA_VERSION) throw new NewerSchemaError(version, SCHEMA_VERSION);
  return version;
};

const sqliteVersion = async (path: string): Promise<number | null> => {
  if (!(await exists(path))) return null;
  const db = await openUnchanged(path);
  try {
    return sqliteSchemaVersion(db);
  } finally {
    db.close();
  }
};

const postgresVersion = async (url: string): Promise<number | null> => {
  const db = new Kysely<unknown>({
    dialect: postgresDialect({ url, connectionsMax: 1, statementMsMax: 5_000, plans: 'any' }),
  });
  try {
    const { rows } = await sql<{ name: string | null }>`select to_regclass('schema_migrations') as name`.execute(db);
    if (rows[0]?.name == null) return null;
    const found = await sql<{ version: number }>`select max(version) as version from schema_migrations`.execute(db);
    return found.rows[0]?.version ?? null;
  } finally {
    await db.destroy();
  }
};
