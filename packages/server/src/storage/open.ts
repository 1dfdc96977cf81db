// Opens the database that the configuration names, brought to this release's schema.
import { access, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import type { Engine } from './engine.ts';
import { protectDatabase } from './files/modes.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { type PostgresOptions, postgresDialect } from './postgres.ts';
import type { Database, Schema } from './schema.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';

export interface StorageOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** Told what an operator should know, such as files that others could read. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

export interface Storage {
  readonly engine: Engine;
  /** For changes, and for reads that must see what was just written. */
  readonly write: Database;
  /** For short reads. On SQLite this and `report` are connections of their own, so that none holds up another. */
  readonly read: Database;
  /** For reads that may take long: lists, sums, exports. */
  readonly report: Database;
  close(): Promise<void>;
}

/** A request waits no longer than this for a statement; a report may. */
const STATEMENT_MS_MAX = 8_000;
const REPORT_MS_MAX = 60_000;

export const openStorage = async ({ dataDir, databaseUrl, onNotice }: StorageOptions): Promise<Storage> => {
  if (databaseUrl !== undefined) {
    await migratePostgres(databaseUrl);
    return openPostgres(databaseUrl);
  }
  const path = join(dataDir, FILE_NAME);
  const isNew = !(await access(path).then(
    () => true,
    () => false,
  ));
  const storage = await openSqlite(dataDir, onNotice);
  try {
    await migrate('sqlite', storage.write, MIGRATIONS);
  } catch (cause) {
    await storage.close().catch(() => {});
    // A first start that failed, on a full disk for example, leaves no empty database behind.
    if (isNew) await removeIfEmpty(path);
    throw cause;
  }
  return storage;
};

export const FILE_NAME = 'faircopy.db';

const PAGE_BYTES = 4096;

/** A database without tables has no page but the first. Another command that makes them now has its log beside it. */
const removeIfEmpty = async (path: string): Promise<void> => {
  const [file, log] = await Promise.all([path, `${path}-wal`].map((name) => stat(name).catch(() => null)));
  if (file && !log && file.size <= PAGE_BYTES) await rm(path, { force: true });
};

const openSqlite = async (dataDir: string, onNotice: StorageOptions['onNotice']): Promise<Storage> => {
  await protectDatabase(dataDir, FILE_NAME, onNotice);
  const path = join(dataDir, FILE_NAME);
  // Each opens its thread when it is first used.
  const connect = (access: 'write' | 'read') => new Kysely<Schema>({ dialect: sqliteDialect({ path, access }) });
  const [write, read, report] = [connect('write'), connect('read'), connect('read')];
  const close = async () => {
    // The writer last: the last to close folds the write-ahead log into the file.
    await Promise.all([read.destroy(), report.destroy()]);
    await write.destroy();
  };
  return { engine: 'sqlite', write, read, report, close };
};

/** On a connection of its own, without time-outs: a migration of much data takes as long as it takes. */
const migratePostgres = async (url: string): Promise<void> => {
  const db = new Kysely<Schema>({
    dialect: postgresDialect({ url, connectionsMax: 1, statementMsMax: 0, plans: 'any' }),
  });
  try {
    await migrate('postgres', db, MIGRATIONS);
  } finally {
    await db.destroy();
  }
};

const openPostgres = (url: string): Storage => {
  const connect = (options: Omit<PostgresOptions, 'url'>) =>
    new Kysely<Schema>({ dialect: postgresDialect({ url, ...options }) });
  const db = connect({ connectionsMax: 8, statementMsMax: STATEMENT_MS_MAX, plans: 'any' });
  const report = connect({ connectionsMax: 2, statementMsMax: REPORT_MS_MAX, plans: 'in index order' });
  const close = async () => {
    await Promise.all([db.destroy(), report.destroy()]);
  };
  return { engine: 'postgres', write: db, read: db, report, close };
};
