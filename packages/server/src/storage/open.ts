// Opens the configured database and migrates it.
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely } from '#kysely';
import { fileExists } from '../lib/files/file-exists.ts';
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
  /** Receives warnings for the operator, such as files that other users can read. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** SQLite: how long a write waits for a lock that another process holds. */
  readonly lockWaitMs?: number | undefined;
  /** PostgreSQL: how long a statement of `write` or `read` may take; 0: no limit. */
  readonly statementMsMax?: number | undefined;
}

export interface Storage {
  readonly engine: Engine;
  /** For writes, and for reads that must see the latest write. */
  readonly write: Database;
  /** For short reads. On SQLite, `write`, `read` and `report` are separate connections. */
  readonly read: Database;
  /** For long reads: lists, sums, exports. */
  readonly report: Database;
  close(): Promise<void>;
}

const LOCK_WAIT_MS = 5_000;
const STATEMENT_MS_MAX = 8_000;
const REPORT_MS_MAX = 60_000;

export const openStorage = async (options: StorageOptions): Promise<Storage> => {
  const { dataDir, databaseUrl } = options;
  if (databaseUrl !== undefined) {
    await migratePostgres(databaseUrl);
    return openPostgres(databaseUrl, options);
  }
  const path = join(dataDir, FILE_NAME);
  const isNew = !(await fileExists(path));
  const storage = await openSqlite(options);
  try {
    await migrate('sqlite', storage.write, MIGRATIONS);
  } catch (cause) {
    await storage.close().catch(() => {});
    // A failed first start, for example on a full disk, leaves no empty database behind.
    if (isNew) await removeIfEmpty(path);
    throw cause;
  }
  return storage;
};

export const FILE_NAME = 'faircopy.db';

const PAGE_BYTES = 4096;

/** A database without tables has one page. A write-ahead log means that another process is creating tables now. */
const removeIfEmpty = async (path: string): Promise<void> => {
  const [file, log] = await Promise.all([path, `${path}-wal`].map((name) => stat(name).catch(() => null)));
  if (file && !log && file.size <= PAGE_BYTES) await rm(path, { force: true });
};

const openSqlite = async ({ dataDir, onNotice, lockWaitMs = LOCK_WAIT_MS }: StorageOptions): Promise<Storage> => {
  await protectDatabase(dataDir, FILE_NAME, onNotice);
  const path = join(dataDir, FILE_NAME);
  const connect = (access: 'write' | 'read') =>
    new Kysely<Schema>({ dialect: sqliteDialect({ path, access, lockWaitMs }) });
  const [write, read, report] = [connect('write'), connect('read'), connect('read')];
  const close = async () => {
    // The writer closes last, which checkpoints the write-ahead log.
    await Promise.all([read.destroy(), report.destroy()]);
    await write.destroy();
  };
  return { engine: 'sqlite', write, read, report, close };
};

/** Uses a separate connection without timeouts, because migrating a large database can take a long time. */
const migratePostgres = async (url: string): Promise<void> => {
  const db = new Kysely<Schema>({
    dialect: await postgresDialect({ url, connectionsMax: 1, statementMsMax: 0, plans: 'any' }),
  });
  try {
    await migrate('postgres', db, MIGRATIONS);
  } finally {
    await db.destroy();
  }
};

const openPostgres = async (url: string, { statementMsMax = STATEMENT_MS_MAX }: StorageOptions): Promise<Storage> => {
  const connect = async (options: Omit<PostgresOptions, 'url'>) =>
    new Kysely<Schema>({ dialect: await postgresDialect({ url, ...options }) });
  const db = await connect({ connectionsMax: 8, statementMsMax, plans: 'any' });
  const report = await connect({ connectionsMax: 2, statementMsMax: REPORT_MS_MAX, plans: 'in index order' });
  const close = async () => {
    await Promise.all([db.destroy(), report.destroy()]);
  };
  return { engine: 'postgres', write: db, read: db, report, close };
};
